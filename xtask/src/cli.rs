//! What the person asked for: `["xtask", "serve", "--port", "9000"]` is [`Command::Serve`] on port 9000.
//!
//! A new command is a variant of [`Command`], a line of [`USAGE`] and an arm in [`parse`] and in `main`; the
//! compiler asks for the last.

use std::collections::BTreeSet;
use std::ffi::OsString;

use lexopt::prelude::*;

use crate::program::Program;
use crate::stage::Stage;

pub(crate) const USAGE: &str = "\
cargo xtask serve [--port N]   build the page in release and serve it on 127.0.0.1
cargo xtask test [STAGE]...    run every check, or only these: fmt clippy native score wasm page browser
cargo xtask fit SAMPLES        fit the token estimator on a file of samples, and write its coefficients
cargo xtask score [OPTION]...  print how well estimator and detector do: --traces F, --samples F, --json OUT;
                               --exact DIR: how many recorded counts are counted exactly;
                               --losses plays whole runs against every face
cargo xtask bench              print how fast counting is, as ratios
cargo xtask bpe                learn the small tokenizer of the page's simulated server anew
cargo xtask help               this text";

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Serve {
        /// The port that the person insists on; `None` takes the usual one, or a free one.
        port: Option<u16>,
    },
    Test {
        /// Never empty: no stage on the command line means all of them.
        stages: BTreeSet<Stage>,
    },
    /// A program of the project; it reads its own arguments.
    Run {
        program: Program,
        args: Vec<OsString>,
    },
}

pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Command, lexopt::Error> {
    let mut args = lexopt::Parser::from_iter(args);
    let Some(name) = args.next()? else {
        return Err(format!("say which command\n{USAGE}").into());
    };
    match name {
        Value(name) if name == "serve" => parse_serve(&mut args),
        Value(name) if name == "test" => parse_test(&mut args),
        Value(name)
            if let Some(program) = Program::ALL.into_iter().find(|program| name == program.name()) =>
        {
            Ok(Command::Run { program, args: args.raw_args()?.collect() })
        }
        Value(name) if name == "help" => Ok(Command::Help),
        Value(name) => Err(format!("there is no command `{}`\n{USAGE}", name.display()).into()),
        Short('h') | Long("help") => Ok(Command::Help),
        Short(_) | Long(_) => Err(name.unexpected()),
    }
}

fn parse_serve(args: &mut lexopt::Parser) -> Result<Command, lexopt::Error> {
    let mut port = None;
    while let Some(arg) = args.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(Command::Help),
            Short('p') | Long("port") => port = Some(args.value()?.parse()?),
            Short(_) | Long(_) | Value(_) => return Err(arg.unexpected()),
        }
    }
    Ok(Command::Serve { port })
}

fn parse_test(args: &mut lexopt::Parser) -> Result<Command, lexopt::Error> {
    let mut stages = BTreeSet::new();
    while let Some(arg) = args.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(Command::Help),
            Value(name) => {
                let stage = Stage::ALL.into_iter().find(|stage| name == stage.name());
                stages
                    .insert(stage.ok_or_else(|| format!("there is no stage `{}`\n{USAGE}", name.display()))?);
            }
            Short(_) | Long(_) => return Err(arg.unexpected()),
        }
    }
    if stages.is_empty() {
        stages.extend(Stage::ALL);
    }
    // The browser tests look at the page that was built just before, never at an old one.
    if stages.contains(&Stage::Browser) {
        stages.insert(Stage::Page);
    }
    Ok(Command::Test { stages })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        let args = ["xtask"].into_iter().chain(line.split_whitespace());
        parse(args.map(OsString::from)).map_err(|error| error.to_string())
    }

    #[test]
    fn serve_takes_a_port() {
        assert_eq!(parsed("serve"), Ok(Command::Serve { port: None }));
        assert_eq!(parsed("serve --port 9000"), Ok(Command::Serve { port: Some(9000) }));
        assert_eq!(parsed("serve -p 9000"), Ok(Command::Serve { port: Some(9000) }));
        assert!(parsed("serve --port 65536").is_err());
        assert!(parsed("serve 9000").is_err());
    }

    #[test]
    fn programs_read_their_own_arguments() {
        let args = ["--json", "out.json"].map(OsString::from).to_vec();
        assert_eq!(parsed("score --json out.json"), Ok(Command::Run { program: Program::Score, args }));
        assert_eq!(parsed("bpe"), Ok(Command::Run { program: Program::Bpe, args: Vec::new() }));
    }

    #[test]
    fn test_without_stages_is_every_stage() {
        assert_eq!(parsed("test"), Ok(Command::Test { stages: BTreeSet::from(Stage::ALL) }));
    }

    #[test]
    fn test_takes_stages_in_any_order() {
        let stages = BTreeSet::from([Stage::Fmt, Stage::Wasm]);
        assert_eq!(parsed("test wasm fmt wasm"), Ok(Command::Test { stages }));
    }

    #[test]
    fn browser_tests_never_run_on_an_old_page() {
        let stages = BTreeSet::from([Stage::Page, Stage::Browser]);
        assert_eq!(parsed("test browser"), Ok(Command::Test { stages }));
    }

    #[test]
    fn what_is_not_known_is_named() {
        assert_eq!(parsed("serv"), Err(format!("there is no command `serv`\n{USAGE}")));
        assert_eq!(parsed("test core"), Err(format!("there is no stage `core`\n{USAGE}")));
        assert_eq!(parsed(""), Err(format!("say which command\n{USAGE}")));
    }

    #[test]
    fn help_is_found_where_people_look() {
        for line in ["help", "--help", "-h", "serve --help", "test -h"] {
            assert_eq!(parsed(line), Ok(Command::Help), "{line}");
        }
    }

    #[test]
    fn the_usage_names_every_stage() {
        for stage in Stage::ALL {
            assert!(USAGE.contains(stage.name()), "{}", stage.name());
        }
    }
}
