//! The project's other programs, so that one command starts them all: what each is called, and where it lives.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use crate::process::run;
use crate::toolchain::Toolchain;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    Fit,
    Score,
    Bench,
    Bpe,
}

impl Program {
    pub(crate) const ALL: [Self; 4] = [Self::Fit, Self::Score, Self::Bench, Self::Bpe];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fit => "fit",
            Self::Score => "score",
            Self::Bench => "bench",
            Self::Bpe => "bpe",
        }
    }

    /// Its package and its binary there. What needs a server over HTTP is beside that server.
    fn place(self, args: &[OsString]) -> (&'static str, &'static str) {
        match self {
            Self::Score if args.iter().any(|arg| arg == "--losses") => ("brimline-tests", "losses"),
            Self::Fit => ("brimline-measure", "fit"),
            Self::Score => ("brimline-measure", "score"),
            Self::Bench => ("brimline-measure", "bench"),
            Self::Bpe => ("brimline-tests", "train-bpe"),
        }
    }

    /// Builds it for speed and runs it in the project's root.
    pub(crate) fn run(self, root: &Path, args: &[OsString]) -> anyhow::Result<ExitCode> {
        let (package, binary) = self.place(args);
        let mut command = Toolchain::host().cargo([
            "run",
            "--profile",
            "measure",
            "--package",
            package,
            "--bin",
            binary,
            "--",
        ]);
        command.current_dir(root).args(args);
        run(self.name(), &mut command)?;
        Ok(ExitCode::SUCCESS)
    }
}
