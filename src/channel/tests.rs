//! Links without any process: both ends are ours.

use std::fs::File;
use std::io::{Read, Write};

use super::*;

fn link(kind: ChannelKind) -> (Link, File, File, Watcher) {
    let mut watcher = Watcher::new().expect("watcher");
    let (link, ends) = Link::open(kind, &mut watcher, 7).expect("link");
    (
        link,
        ends.writer_stdout.into(),
        ends.reader_stdin.into(),
        watcher,
    )
}

#[test]
fn a_thousand_single_bytes_arrive_though_the_events_are_merged() {
    let (mut link, mut writer, mut reader, mut watcher) = link(ChannelKind::Tmpfs);
    for i in 0..1000u32 {
        writer.write_all(&[i as u8]).expect("write");
    }
    let mut looks = 0;
    watcher
        .changes(|tag| {
            assert_eq!(tag, 7);
            looks += 1
        })
        .expect("changes");
    assert!((1..1000).contains(&looks), "{looks} events");
    link.pump(|_| {}).expect("pump");
    link.end_input();
    let mut got = Vec::new();
    reader.read_to_end(&mut got).expect("read");
    assert_eq!(got, (0..1000u32).map(|i| i as u8).collect::<Vec<_>>());
}

#[test]
fn what_does_not_fit_waits_in_the_file_and_follows_without_new_output() {
    for kind in [ChannelKind::Tmpfs, ChannelKind::Pipe] {
        let (mut link, mut writer, mut reader, _watcher) = link(kind);
        let sent: Vec<u8> = (0..5_000_000u32).map(|i| (i % 251) as u8).collect();
        let copy = sent.clone();
        // The pipe kind blocks its writer when it is full, so it needs a thread.
        let writing = std::thread::spawn(move || writer.write_all(&copy).expect("write"));
        let (mut got, mut logged) = (Vec::new(), Vec::new());
        let mut buffer = vec![0; 30_000];
        while got.len() < sent.len() {
            link.pump(|bytes| logged.extend_from_slice(bytes))
                .expect("pump");
            if logged.len() > got.len() {
                let found = reader.read(&mut buffer).expect("read");
                got.extend_from_slice(&buffer[..found]);
            }
        }
        writing.join().expect("join");
        assert!(got == sent && logged == sent, "{kind:?}");
        assert_eq!(link.delivered(), 5_000_000);
        assert!(link.is_empty().expect("empty"));
    }
}

#[test]
fn delivered_parts_of_the_file_are_given_back() {
    let (mut link, mut writer, mut reader, _watcher) = link(ChannelKind::Tmpfs);
    let mut buffer = vec![0; 60_000];
    for _ in 0..200 {
        writer.write_all(&buffer).expect("write");
        link.pump(|_| {}).expect("pump");
        reader.read_exact(&mut buffer).expect("read");
    }
    assert_eq!(link.written().expect("written"), 12_000_000);
    assert!(link.peak_kept() < 4_000_000, "{}", link.peak_kept());
}

#[test]
fn the_writer_can_neither_shrink_nor_seal_its_output() {
    let (_link, writer, _reader, _watcher) = link(ChannelKind::Tmpfs);
    (&writer).write_all(b"said").expect("write");
    assert!(writer.set_len(0).is_err());
    assert!(
        fcntl(
            &writer,
            FcntlArg::F_ADD_SEALS(nix::fcntl::SealFlag::F_SEAL_WRITE)
        )
        .is_err()
    );
}

#[test]
fn closing_is_noticed_when_the_last_descriptor_goes() {
    for kind in [ChannelKind::Tmpfs, ChannelKind::Pipe] {
        let (mut link, writer, _reader, _watcher) = link(kind);
        let second = writer.try_clone().expect("clone");
        drop(writer);
        assert!(!link.writer_closed(&[]).expect("closed"), "{kind:?}");
        // Nobody reads the end of the pipe before it is asked for.
        drop(second);
        assert!(link.writer_closed(&[]).expect("closed"), "{kind:?}");
    }
}

#[test]
fn what_the_reader_never_took_is_counted() {
    for kind in [ChannelKind::Tmpfs, ChannelKind::Pipe, ChannelKind::Direct] {
        let (mut link, mut writer, mut reader, _watcher) = link(kind);
        writer.write_all(b"0123456789").expect("write");
        link.pump(|_| {}).expect("pump");
        let mut four = [0; 4];
        reader.read_exact(&mut four).expect("read");
        drop(reader);
        link.reader_is_gone().expect("gone");
        writer.write_all(b"more").expect("no SIGPIPE, no EPIPE");
        link.pump(|_| {}).expect("pump");
        assert_eq!(link.unread().expect("unread"), 10, "{kind:?}");
    }
}

#[test]
fn a_pump_that_was_blocked_goes_on_to_the_end_of_what_there_is() {
    // The writer's pipe reports itself once; after room was made, everything must follow at once.
    let (mut link, mut writer, mut reader, _watcher) = link(ChannelKind::Pipe);
    let block = vec![7u8; 64 << 10];
    writer.write_all(&block).expect("write");
    link.pump(|_| {}).expect("pump");
    writer.write_all(&block[..30_000]).expect("write");
    link.pump(|_| {}).expect("pump");
    assert!(link.is_blocked());
    writer.write_all(&block[..30_000]).expect("write");
    reader.read_exact(&mut vec![0; 64 << 10]).expect("read");
    link.pump(|_| {}).expect("pump");
    assert_eq!(link.delivered(), (64 << 10) + 60_000);
}
