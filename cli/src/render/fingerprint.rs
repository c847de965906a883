//! What tells problems apart from one run to the next: the same where lines move, another where the text changes.

use std::collections::HashMap;

use crate::report::Problem;

/// Returns a fingerprint for each problem, in their order.
pub fn of(problems: &[&Problem]) -> Vec<String> {
    let mut seen: HashMap<[u8; 32], u32> = HashMap::new();
    let mut fingerprint = |problem: &&Problem| {
        let place = &problem.place;
        let (start, end) = (place.start as usize, place.end as usize);
        let text = place.source.text.get(start..end).unwrap_or_default();
        let mut hasher = blake3::Hasher::new();
        for part in [problem.name, &place.source.name, &problem.message, text] {
            hasher.update(part.as_bytes());
            hasher.update(&[0]);
        }
        // Several that say the same are told apart by their order.
        let count = seen.entry(*hasher.finalize().as_bytes()).or_default();
        hasher.update(&count.to_le_bytes());
        *count += 1;
        hasher.finalize().to_hex().chars().take(32).collect()
    };
    problems.iter().map(&mut fingerprint).collect()
}
