//! What is compared: the sorts, the kinds of limit, and what is expected of each sort under each.

use serde::Serialize;

use crate::harness::plot::{Marker, Style};

/// A way to sort a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Sort {
    /// The whole file read into memory.
    Naive,
    /// The input mapped, with pages of its own for all that is changed.
    MappedPrivate,
    /// The output mapped, and written back by the kernel.
    MappedShared,
    /// The same, by a sort that takes no more memory.
    MappedInPlace,
    External,
    ExternalThreads,
    Counting,
}

impl Sort {
    pub(crate) const ALL: [Sort; 7] = [
        Sort::Naive,
        Sort::MappedPrivate,
        Sort::MappedShared,
        Sort::MappedInPlace,
        Sort::External,
        Sort::ExternalThreads,
        Sort::Counting,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Sort::Naive => "naive qsort",
            Sort::MappedPrivate => "private mmap + qsort",
            Sort::MappedShared => "shared mmap + qsort",
            Sort::MappedInPlace => "shared mmap, in place",
            Sort::External => "external merge",
            Sort::ExternalThreads => "external merge, 2 threads",
            Sort::Counting => "counting sort",
        }
    }

    /// True if it writes a file of its own, which only an interactor may.
    pub(crate) fn needs_a_folder(self) -> bool {
        matches!(self, Sort::MappedShared | Sort::MappedInPlace)
    }

    /// Colours that the colour-blind can tell apart (Okabe and Ito's).
    pub(crate) fn style(self, limit: Limit) -> Style {
        let (colour, marker) = match self {
            Sort::Naive => ("#000000", Marker::Square),
            Sort::MappedPrivate => ("#888888", Marker::Cross),
            Sort::MappedShared => ("#cc79a7", Marker::Cross),
            Sort::MappedInPlace => ("#d55e00", Marker::Diamond),
            Sort::External => ("#0072b2", Marker::Circle),
            Sort::ExternalThreads => ("#e69f00", Marker::Triangle),
            Sort::Counting => ("#009e73", Marker::Square),
        };
        let dashes = match limit {
            Limit::None => "5 4",
            _ => "",
        };
        Style {
            colour,
            dashes,
            marker,
        }
    }
}

/// What of a program's memory is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Limit {
    None,
    /// What malloc and its relatives give, by a library loaded before all others.
    Malloc,
    /// `--address-space`, and the footprint of a program that does nothing on top.
    AddressSpace,
    /// `--memory`.
    Resident,
}

impl Limit {
    pub(crate) const ALL: [Limit; 4] = [
        Limit::None,
        Limit::Malloc,
        Limit::AddressSpace,
        Limit::Resident,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Limit::None => "no limit",
            Limit::Malloc => "malloc",
            Limit::AddressSpace => "address space",
            Limit::Resident => "resident",
        }
    }
}

/// What a machine has on which it depends what lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Ground {
    /// The kernel holds resident memory by a cgroup and takes back what it can, before it kills.
    pub(crate) cgroup: bool,
    /// The interactor's folder is on a disk, so that pages of its files can be taken back.
    pub(crate) on_disk: bool,
}

/// Whether a sort is expected to live.
pub(crate) fn lives(sort: Sort, limit: Limit, ground: Ground) -> bool {
    match (sort, limit) {
        (_, Limit::None) | (Sort::External | Sort::ExternalThreads | Sort::Counting, _) => true,
        (Sort::Naive, _) => false,
        // What is mapped is none of malloc's; and where qsort gets no memory, it does without.
        (Sort::MappedPrivate | Sort::MappedShared | Sort::MappedInPlace, Limit::Malloc) => true,
        (Sort::MappedInPlace, Limit::Resident) => ground.cgroup && ground.on_disk,
        (Sort::MappedPrivate | Sort::MappedShared | Sort::MappedInPlace, _) => false,
    }
}
