//! Prints what a recording holds: every event as a line of the native format, problems and counts on
//! standard error. With `--count` it prints the counts alone, without requests and responses, and how long
//! reading took.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::time::Instant;

use behavior_agents::{Item, Problem, Sink, detect, read, to_native};

/// Prints items, or only takes them.
struct Printer {
    quiet: bool,
}

impl Sink for Printer {
    fn item(&mut self, item: Item<'_>) {
        if !self.quiet {
            // Nobody is left to tell when standard output is closed.
            let _ = writeln!(std::io::stdout().lock(), "{}", to_native(&item));
        }
        std::hint::black_box(&item);
    }

    fn problem(&mut self, problem: Problem) {
        eprintln!("{}: {}", problem.line, problem.message);
    }

    fn wants_exchanges(&self) -> bool {
        !self.quiet
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (flags, paths): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let mut printer = Printer { quiet: flags.iter().any(|flag| flag == "--count") };
    for path in paths {
        let mut file = File::open(&path)?;
        let mut first = Vec::new();
        (&file).take(64 << 10).read_to_end(&mut first)?;
        file.rewind()?;
        let Some(format) = detect(&first) else {
            eprintln!("{path}: no known format");
            continue;
        };
        let started = Instant::now();
        let mut input = BufReader::with_capacity(256 << 10, file);
        let stats = read(format, &mut input, &mut printer)?;
        let seconds = started.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "rounded figures are enough")]
        let (bytes, events) = (stats.bytes as f64, stats.events as f64);
        eprintln!("{path}: {format:?} {stats:?}");
        eprintln!(
            "{:.1} MB/s, {:.2} million events/s",
            bytes / seconds / 1e6,
            events / seconds / 1e6
        );
    }
    Ok(())
}
