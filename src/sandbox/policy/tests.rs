//! The files as they are, and files made up for the rules of the format.

use super::*;

mod page;

fn decide_for(role: Role, profile: Profile, name: &str, args: [u64; 6]) -> Action {
    let call = name.parse::<Sysno>().expect("a call's name");
    Policy::of(role, profile).decide(call.id() as u64, &args).0
}

fn decide(name: &str, args: [u64; 6]) -> Action {
    decide_for(Role::Contestant, Profile::Native, name, args)
}

#[test]
fn conditions_come_before_the_general_rule() {
    assert_eq!(
        decide("openat", [0, 0, libc::O_CLOEXEC as u64, 0, 0, 0]),
        Action::Allow
    );
    let writing = [0, 0, libc::O_RDWR as u64, 0, 0, 0];
    assert_eq!(
        decide("openat", writing),
        Action::Watch(Watch::OpenForWriting)
    );
    assert_eq!(decide("ptrace", [0; 6]), Action::Refuse(libc::EPERM));
    assert_eq!(decide("ptrace", [16, 1, 0, 0, 0, 0]), Action::Kill);
    assert_eq!(
        decide("prctl", [4, 0, 0, 0, 0, 0]),
        Action::Refuse(libc::EPERM)
    );
    assert_eq!(decide("prctl", [15, 0, 0, 0, 0, 0]), Action::Allow);
    assert_eq!(decide("fcntl", [1, 4, 0, 0, 0, 0]), Action::Allow);
    for (call, request) in [
        ("fcntl", 8),
        ("fcntl", 15),
        ("ioctl", 0x8901),
        ("ioctl", 0x8902),
        ("ioctl", 0x4008_6602),
    ] {
        let action = decide(call, [1, request, 0, 0, 0, 0]);
        assert_eq!(action, Action::Refuse(libc::EPERM), "{call} {request:#x}");
    }
    assert_eq!(decide("ioctl", [0, 0x5401, 0, 0, 0, 0]), Action::Allow);
}

#[test]
fn unknown_calls_are_refused_as_by_a_kernel_without_them() {
    let policy = Policy::of(Role::Contestant, Profile::Native);
    for number in [9999, u64::from(u32::MAX), u64::MAX] {
        let (action, why) = policy.decide(number, &[0; 6]);
        assert_eq!(action, Action::Refuse(libc::ENOSYS));
        assert_eq!(why, "not in the policy");
    }
    assert_eq!(call_name(9999), "system call 9999");
    assert_eq!(call_name(165), "mount");
}

#[test]
fn only_an_interactor_changes_names_of_files() {
    let of = |role| decide_for(role, Profile::Native, "unlink", [0; 6]);
    assert_eq!(of(Role::Contestant), Action::Refuse(libc::EROFS));
    assert_eq!(of(Role::Interactor), Action::Allow);
}

#[test]
fn what_a_runtime_tries_is_hidden_for_it_alone() {
    let of = |profile, family| {
        let args = [family, 1, 0, 0, 0, 0];
        decide_for(Role::Contestant, profile, "socket", args)
    };
    let (unix, internet) = (libc::AF_UNIX as u64, libc::AF_INET as u64);
    assert_eq!(of(Profile::Java, unix), Action::Hide(libc::EACCES));
    assert_eq!(of(Profile::Java, internet), Action::Refuse(libc::EACCES));
    assert_eq!(of(Profile::Native, unix), Action::Refuse(libc::EACCES));
    assert_eq!(of(Profile::Node, unix), Action::Refuse(libc::EACCES));
}

/// Two layers, the later one second, asked about the call `fcntl`.
fn stacked(earlier: &str, later: &str) -> impl Fn(u64) -> Action + use<> {
    let read = |text| layer::parse(text).expect("a layer");
    let policy = Policy::stack(&[&read(earlier), &read(later)]);
    move |argument| {
        let args = [0, argument, 0, 0, 0, 0];
        policy.decide(libc::SYS_fcntl as u64, &args).0
    }
}

fn group(kind: &str, only_if: &str) -> String {
    let more = match kind {
        "hide" | "refuse" => "errno = 'EPERM'",
        "watch" => "for = 'timer'",
        _ => "",
    };
    format!("[[{kind}]]\nwhy = 'because'\n{more}\n{only_if}\ncalls = ['fcntl']\n")
}

fn when(equals: u64) -> String {
    format!("if = {{ argument = 1, mask = 0xff, equals = {equals} }}")
}

const REFUSED: Action = Action::Refuse(libc::EPERM);

#[test]
fn a_later_layer_replaces_the_rule_of_the_same_condition() {
    let decided = stacked(
        &[group("refuse", ""), group("kill", &when(1))].concat(),
        &group("allow", ""),
    );
    assert_eq!((decided(0), decided(1)), (Action::Allow, Action::Kill));
    let decided = stacked(
        &[group("refuse", ""), group("kill", &when(1))].concat(),
        &group("allow", &when(1)),
    );
    assert_eq!((decided(0), decided(1)), (REFUSED, Action::Allow));
}

#[test]
fn a_later_layers_conditions_are_looked_at_first() {
    let wider = "if = { argument = 1, mask = 0x0f, equals = 1 }";
    let decided = stacked(
        &[group("refuse", ""), group("kill", &when(1))].concat(),
        &group("allow", wider),
    );
    // 0x01 fits both conditions, 0x11 only the later layer's.
    assert_eq!(
        (decided(0x01), decided(0x11)),
        (Action::Allow, Action::Allow)
    );
    let decided = stacked(
        &[group("refuse", ""), group("allow", wider)].concat(),
        &group("kill", &when(1)),
    );
    assert_eq!(
        (decided(0x01), decided(0x11)),
        (Action::Kill, Action::Allow)
    );
}

#[test]
fn what_a_later_layer_does_not_name_stays() {
    let other = "[[kill]]\nwhy = 'because'\ncalls = ['ptrace']\n";
    let decided = stacked(&group("hide", ""), other);
    assert_eq!(decided(3), Action::Hide(libc::EPERM));
    let decided = stacked(other, &group("watch", &when(3)));
    assert_eq!(decided(3), Action::Watch(Watch::Timer));
    assert_eq!(decided(4), UNNAMED);
}

#[test]
fn mistakes_in_a_file_are_found() {
    let wrong = |text: &str| layer::parse(text).expect_err(text);
    insta::assert_snapshot!(
        [
            group("allow", "") + &group("refuse", ""),
            group("allow", &when(1)) + &group("refuse", &when(1)),
            group("allow", &when(1))
                + &group("kill", "if = { argument = 2, mask = 0xff, equals = 2 }"),
            group("allow", "if = { argument = 6, mask = 1, equals = 1 }"),
            group("allow", "if = { argument = 1, mask = 1, equals = 2 }"),
            group("allow", "errno = 'EPERM'"),
            group("watch", "errno = 'EPERM'"),
            group("refuse", "for = 'timer'"),
            group("refuse", "").replace("EPERM", "EPREM"),
            group("allow", "").replace("fcntl", "fcntk"),
            group("allow", "").replace("'fcntl'", ""),
            group("kill", "").replace("because", " "),
        ]
        .map(|text| wrong(&text))
        .join("\n"),
        @r#"
    two groups name `fcntl`, and both may fit
    two groups name `fcntl`, and both may fit
    two groups name `fcntl`, and both may fit
    ["fcntl"]: a call has arguments 0 to 5
    ["fcntl"]: what is masked never equals that
    no `errno` and no `for` belong to ["fcntl"]
    a `for` and no `errno` belong to ["fcntl"]
    no `for` belongs to ["fcntl"]
    no known `errno` in ["fcntl"]
    there is no system call `fcntk`
    the group "because" names no call
    there is no reason for ["fcntl"]
    "#
    );
    for unknown in [
        "[[alow]]\nwhy='x'\ncalls=[]\n",
        "[[allow]]\nwhy='x'\ncall=[]\n",
    ] {
        assert!(wrong(unknown).contains("unknown field"));
    }
    assert!(wrong("[[allow]]\ncalls = ['read']\n").contains("missing field `why`"));
}

/// Calls that are left to the general answer. A newer table of calls adds to this list: look at
/// each, and put it into a group or leave it here.
#[test]
fn calls_without_a_rule_are_known() {
    let policy = Policy::of(Role::Contestant, Profile::Native);
    let named: Vec<u32> = policy.rules().map(|(call, _)| call).collect();
    let absent = Sysno::iter().filter(|call| !named.contains(&(call.id() as u32)));
    let absent: Vec<&str> = absent.map(|call| call.name()).collect();
    let expected = "uselib _sysctl get_kernel_syms query_module nfsservctl getpmsg putpmsg \
        afs_syscall tuxcall security set_thread_area get_thread_area epoll_ctl_old \
        epoll_wait_old vserver io_pgetevents uretprobe uprobe set_mempolicy_home_node \
        cachestat map_shadow_stack futex_wake futex_wait futex_requeue statmount \
        listmount lsm_get_self_attr lsm_set_self_attr lsm_list_modules open_tree_attr";
    assert_eq!(absent.join(" "), expected);
}

#[test]
fn both_roles_and_all_profiles_name_the_same_calls() {
    let named = |role, profile| -> Vec<u32> {
        let rules = Policy::of(role, profile).rules();
        rules.map(|(call, _)| call).collect()
    };
    let first = named(Role::Contestant, Profile::Native);
    for profile in Profile::ALL {
        assert_eq!(named(Role::Contestant, profile), first);
        assert_eq!(named(Role::Interactor, profile), first);
    }
}
