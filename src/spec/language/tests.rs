//! The built-in table and files of the user's, good and bad.

use super::*;

fn merged(text: &str) -> Result<Languages> {
    let mut languages = Languages::builtin();
    languages.merge(&Document::new(Path::new("my.toml"), text.to_owned()))?;
    Ok(languages)
}

fn complaint(text: &str) -> String {
    merged(text).unwrap_err().to_string()
}

fn language_of(languages: &Languages, source: &str) -> Option<String> {
    languages
        .of_source(Path::new(source))
        .map(|language| language.name.clone())
}

#[test]
fn the_built_in_table_is_complete() {
    let languages = Languages::builtin();
    for (source, name) in [
        ("a.c", "C"),
        ("x/a.cpp", "C++"),
        ("a.cc", "C++"),
        ("a.rs", "Rust"),
        ("a.py", "Python"),
        ("A.java", "Java"),
        ("a.js", "JavaScript"),
        ("a.go", "Go"),
        ("a.b.sh", "shell"),
    ] {
        assert_eq!(language_of(&languages, source).as_deref(), Some(name));
    }
    assert_eq!(language_of(&languages, "a.txt"), None);
    assert_eq!(language_of(&languages, "py"), None);
    assert_eq!(languages.iter().count(), 8);
    assert!(languages.iter().all(|language| language.package.is_some()));
}

#[test]
fn interpreters_are_recognized_with_folder_and_version() {
    let languages = Languages::builtin();
    let name = |program: &str| {
        let language = languages.of_interpreter(program);
        language.map(|language| language.name.as_str())
    };
    assert_eq!(name("python3"), Some("Python"));
    assert_eq!(name("/usr/bin/python3.11"), Some("Python"));
    assert_eq!(name("node"), Some("JavaScript"));
    assert_eq!(name("java"), Some("Java"));
    assert_eq!(name("/bin/sh"), Some("shell"));
    assert_eq!(name("pythonista"), None);
    assert_eq!(name("./a.out"), None);
}

#[test]
fn an_entry_changes_what_it_names_and_keeps_the_rest() {
    let languages = merged("[[language]]\nname = \"c++\"\ncompilers = [\"clang++\"]\n").unwrap();
    let changed = languages.named("C++").unwrap();
    let builtin = Languages::builtin();
    let original = builtin.named("C++").unwrap();
    assert_eq!(changed.compilers, ["clang++"]);
    assert_eq!(changed.compile, original.compile);
    assert_eq!(changed.name, "C++");
    assert_eq!(languages.iter().count(), builtin.iter().count());
}

#[test]
fn a_language_can_be_added_and_takes_its_suffixes() {
    let languages = merged(
        r#"
        [[language]]
        name = "Lua"
        suffixes = [".lua", "c"]
        interpreters = ["lua"]
        run = ["{interpreter}", "{source}"]
        "#,
    )
    .unwrap();
    assert_eq!(language_of(&languages, "a.lua").as_deref(), Some("Lua"));
    assert_eq!(language_of(&languages, "a.c").as_deref(), Some("Lua"));
    let lua5 = languages.of_interpreter("lua5.4").unwrap();
    assert_eq!(lua5.name, "Lua");
}

#[test]
fn a_mistyped_key_is_pointed_at() {
    insta::assert_snapshot!(complaint("[[language]]\nname = \"Lua\"\nsufixes = [\"lua\"]\n"), @r#"
    my.toml:3: unknown key `sufixes`: did you mean `suffixes`?
    3 | sufixes = ["lua"]
      | ^^^^^^^
    "#);
}

#[test]
fn an_unknown_placeholder_is_pointed_at() {
    insta::assert_snapshot!(complaint("[[language]]\nname = \"C\"\nrun = [\"{binary}\"]\n"), @r#"
    my.toml:3: `{binary}` stands for nothing here: valid are `{interpreter}`, `{source}`, `{output}`, `{folder}` and `{class}`
    3 | run = ["{binary}"]
      |       ^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(complaint("[[language]]\nname = \"C\"\nenvironment = { X = \"{output}\" }\n"), @r#"
    my.toml:3: `{output}` stands for nothing here: valid are `{cache}` and `{folder}`
    3 | environment = { X = "{output}" }
      |               ^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn a_profile_can_be_named_and_an_unknown_one_is_pointed_at() {
    let profile = |languages: &Languages, name| languages.named(name).unwrap().profile;
    let builtin = Languages::builtin();
    assert_eq!(profile(&builtin, "C++"), Profile::Native);
    assert_eq!(profile(&builtin, "Java"), Profile::Java);
    let changed = merged("[[language]]\nname = \"Python\"\nprofile = \"shell\"\n").unwrap();
    assert_eq!(profile(&changed, "Python"), Profile::Shell);
    let kept = merged("[[language]]\nname = \"Java\"\ncompilers = [\"ecj\"]\n").unwrap();
    assert_eq!(profile(&kept, "Java"), Profile::Java);
    insta::assert_snapshot!(complaint("[[language]]\nname = \"C\"\nprofile = \"jav\"\n"), @r#"
    my.toml:3: unknown value `jav`: did you mean `java`?
    3 | profile = "jav"
      |           ^^^^^
    "#);
    insta::assert_snapshot!(complaint("[[language]]\nname = \"C\"\nprofile = \"beam\"\n"), @r#"
    my.toml:3: unknown value `beam`: valid here: `native`, `java`, `node`, `mono` and `shell`
    3 | profile = "beam"
      |           ^^^^^^
    "#);
}

#[test]
fn a_language_that_cannot_work_is_refused() {
    insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nsuffixes = [\"d\"]\n"), @r#"
    my.toml:2: D has no `run`: write, for example, run = ["{output}"] or run = ["{interpreter}", "{source}"]
    2 | name = "D"
      |        ^^^
    "#);
    insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nsuffixes = [\"d\"]\nrun = [\"{output}\"]\n"), @r#"
    my.toml:2: D runs what is compiled but has no `compile` command
    2 | name = "D"
      |        ^^^
    "#);
    insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nrun = [\"{output}\"]\n"), @r#"
    my.toml:2: D has no suffix: write, for example, suffixes = ["xyz"]
    2 | name = "D"
      |        ^^^
    "#);
    insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nsuffixes = [\"d\"]\ncompile = [\"{compiler}\"]\nrun = [\"{output}\"]\n"), @r#"
    my.toml:2: D uses `{compiler}` but has no `compilers`: write, for example, compilers = ["gcc"]
    2 | name = "D"
      |        ^^^
    "#);
    insta::assert_snapshot!(complaint("[[language]]\nname = \"D\"\nsuffixes = [\"d\"]\nrun = [\"{interpreter}\"]\n"), @r#"
    my.toml:2: D uses `{interpreter}` but has no `interpreters`: write, for example, interpreters = ["python3"]
    2 | name = "D"
      |        ^^^
    "#);
    insta::assert_snapshot!(complaint("[[language]]\nsuffixes = [\"d\"]\n"), @r"
    my.toml:1: `name` is missing
    1 | [[language]]
      | ^^^^^^^^^^^^
    ");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Languages::with_file(Path::new("/nowhere/l.toml")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the language file `/nowhere/l.toml`: no such file or directory"
    );
}

#[test]
fn the_documentation_lists_every_language_as_it_is() {
    let page = include_str!("../../../docs/languages.md");
    for language in Languages::builtin().iter() {
        let suffixes: Vec<String> = language
            .suffixes
            .iter()
            .map(|suffix| format!("`.{suffix}`"))
            .collect();
        let tools: Vec<String> = language
            .compilers
            .iter()
            .chain(&language.interpreters)
            .map(|tool| format!("`{tool}`"))
            .collect();
        let row = format!(
            "| {} | {} | {} | `{}` |",
            language.name,
            suffixes.join(" "),
            tools.join(" "),
            language.package.as_deref().unwrap_or_default()
        );
        assert!(page.contains(&row), "docs/languages.md lacks the row {row}");
    }
}

#[test]
fn the_examples_in_the_documentation_are_right() {
    let page = include_str!("../../../docs/languages.md");
    let examples: Vec<&str> = page.split("```toml\n").skip(1).collect();
    assert!(!examples.is_empty());
    for example in examples {
        let (text, _) = example.split_once("```").unwrap();
        merged(text).unwrap();
    }
}
