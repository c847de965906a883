//! Output of files that are worked on side by side, printed in their order. The file whose turn it
//! is prints at once; the others wait in memory, and only few at a time.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many files may be ahead of the one that prints.
const AHEAD: usize = 16;
/// How much of a file's output is gathered before it is printed.
const GATHERED: usize = 64 << 10;
/// How much output may wait for its turn.
const WAITING: usize = 32 << 20;

/// Lets the output of one file after the other through.
pub struct Gate<W> {
    state: Mutex<State<W>>,
    moved: Condvar,
}

struct State<W> {
    /// The file whose turn it is.
    turn: usize,
    /// The output of files that are done before their turn.
    parked: BTreeMap<usize, Vec<u8>>,
    next: usize,
    out: W,
    /// What stands between two decisions and is due before the next one.
    separated: Option<&'static str>,
    failed: Option<io::Error>,
    closed: bool,
}

impl<W: Write> Gate<W> {
    /// A gate to `out`. Where output comes in pieces that each begin with `separator`, the one in
    /// front of everything is left out.
    pub fn new(out: W, separator: Option<&'static str>) -> Self {
        let state = State {
            turn: 0,
            parked: BTreeMap::new(),
            next: 0,
            out,
            separated: separator,
            failed: None,
            closed: false,
        };
        Self { state: Mutex::new(state), moved: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(
        &self,
        guard: MutexGuard<'g, State<W>>,
        until: impl Fn(&State<W>) -> bool,
    ) -> MutexGuard<'g, State<W>> {
        self.moved
            .wait_while(guard, |state| !until(state) && !state.is_closed())
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next file to work on, once it is not too far ahead.
    pub fn take(&self) -> usize {
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        drop(self.wait(state, |state| number < state.turn + AHEAD));
        number
    }

    /// Takes in what there is of file `number`, if it is time. False when nothing more can be
    /// printed.
    pub fn offer(&self, number: usize, text: &mut Vec<u8>) -> bool {
        if text.len() < GATHERED {
            return true;
        }
        let mut state = self.lock();
        if state.turn != number && text.len() >= WAITING {
            state = self.wait(state, |state| state.turn == number);
        }
        if state.turn == number {
            state.print(text);
            text.clear();
        }
        if state.failed.is_some() {
            self.moved.notify_all();
            return false;
        }
        true
    }

    /// Takes in the last of file `number`.
    pub fn finish(&self, number: usize, text: Vec<u8>) {
        let mut state = self.lock();
        if state.turn != number {
            state.parked.insert(number, text);
            return;
        }
        state.print(&text);
        state.turn += 1;
        while let Some(text) = state.next_parked() {
            state.print(&text);
            state.turn += 1;
        }
        drop(state);
        self.moved.notify_all();
    }

    /// Nothing more is wanted: nobody waits any longer.
    pub fn close(&self) {
        self.lock().closed = true;
        self.moved.notify_all();
    }

    /// Whether printing has failed, or nothing more is wanted.
    pub fn is_closed(&self) -> bool {
        self.lock().is_closed()
    }

    /// What is behind the gate, and why printing failed, if it did.
    pub fn into_inner(self) -> (W, Option<io::Error>) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.out, state.failed)
    }
}

impl<W> State<W> {
    fn is_closed(&self) -> bool {
        self.closed || self.failed.is_some()
    }
}

impl<W: Write> State<W> {
    fn next_parked(&mut self) -> Option<Vec<u8>> {
        self.parked.remove(&self.turn)
    }

    fn print(&mut self, text: &[u8]) {
        if self.failed.is_some() || text.is_empty() {
            return;
        }
        let text = match self.separated.take() {
            Some(separator) => text.strip_prefix(separator.as_bytes()).unwrap_or(text),
            None => text,
        };
        self.failed = self.out.write_all(text).err();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_print_in_their_order() {
        let gate = Gate::new(Vec::new(), Some(","));
        assert_eq!((gate.take(), gate.take(), gate.take()), (0, 1, 2));
        gate.finish(2, b",c".to_vec());
        gate.finish(0, b",a".to_vec());
        gate.finish(1, b",b".to_vec());
        let (out, failed) = gate.into_inner();
        assert_eq!(String::from_utf8(out).expect("text"), "a,b,c");
        assert!(failed.is_none());
    }

    #[test]
    fn the_file_whose_turn_it_is_prints_at_once() {
        let gate = Gate::new(Vec::new(), None);
        let mut text = vec![b'x'; GATHERED];
        assert!(gate.offer(1, &mut text));
        assert_eq!(text.len(), GATHERED, "it is not its turn");
        assert!(gate.offer(0, &mut text));
        assert!(text.is_empty());
    }
}
