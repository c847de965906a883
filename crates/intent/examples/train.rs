//! Learns the weights of `src/learned/` from the labelled messages in `training/`, and says how well they do: the messages of each
//! file are judged by weights that were learned from all others.
//!
//! `cargo xtask weights` runs it; `--check` writes nothing, `--acts` counts by acts, `--wrong` lists what is wrongly found.

#[path = "../training/labelled.rs"]
mod labelled;

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use behavior_intent::learned::{Topic, Weights, acts, each_features, share};
use behavior_intent::message::passages;

use self::labelled::{Label, Message, files, fingerprint_of, folder};

/// How strongly weights are held down.
const REGULARISATION: f32 = 2e-4;
/// How far a step goes at first.
const RATE: f32 = 0.05;
/// How often all is looked at.
const EPOCHS: usize = 30;
/// Smaller weights are left out: there are many, and together they change little.
const MIN_WEIGHT: f32 = 0.05;

/// What a message says of a topic.
struct Example {
    label: Label,
    topic: Topic,
    /// The features of the passages that speak of it.
    passages: Vec<Vec<u64>>,
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let has = |option: &str| std::env::args().any(|argument| argument == option);
    let files = files()?;
    let people: Vec<Vec<Example>> =
        files.iter().map(|file| read(file)).collect::<Result<_, _>>()?;

    let mut judged: Vec<(&Example, f32)> = Vec::new();
    for (at, own) in people.iter().enumerate() {
        let others = people.iter().enumerate().filter(|(other, _)| *other != at);
        let weights = learn(others.flat_map(|(_, examples)| examples), 0);
        judged.extend(own.iter().map(|example| (example, score(&weights, example))));
    }
    report(&judged);
    if has("--acts") {
        report_acts(&judged);
    }
    if has("--wrong") {
        let is_wrong =
            |(example, score): &&(&Example, f32)| example.label != Label::No && *score > 1.0;
        for (example, score) in judged.iter().filter(is_wrong) {
            println!("{score:.1} {}: {}", name(example.topic), example.text);
        }
    }
    if !has("--check") {
        let weights = learn(people.iter().flatten(), fingerprint_of(&files)?);
        std::fs::write(folder().join("../src/learned/weights.bin"), weights.bytes())?;
        println!("{} bytes of weights", weights.bytes().len());
    }
    Ok(())
}

fn read(file: &Path) -> Result<Vec<Example>, Box<dyn Error>> {
    let mut examples = Vec::new();
    for message in Message::read(file)? {
        let read = passages(&message.text);
        for (topic, label) in message.topics(&read) {
            let passages: Vec<_> = each_features(&read, topic).collect();
            if label != Label::Silent || !passages.is_empty() {
                examples.push(Example { label, topic, passages, text: message.text.clone() });
            }
        }
    }
    Ok(examples)
}

fn score(weights: &Weights, example: &Example) -> f32 {
    let scores = example.passages.iter().map(|features| weights.score(features));
    scores.fold(f32::NEG_INFINITY, f32::max)
}

/// Learns weights by logistic regression: stochastic descent along the gradient, with weights held down.
fn learn<'e>(examples: impl Iterator<Item = &'e Example>, fingerprint: u64) -> Weights {
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut rows: Vec<(Vec<usize>, f32)> = Vec::new();
    for example in examples {
        for features in &example.passages {
            let row = features.iter().map(|feature| {
                let next = places.len();
                *places.entry(*feature).or_insert(next)
            });
            rows.push((row.collect(), if example.label == Label::No { 1.0 } else { -1.0 }));
        }
    }
    let mut weights = vec![0.0_f32; places.len()];
    // All weights are what stands there times this, so that all can be held down at once.
    let mut scale = 1.0_f32;
    let (mut seed, mut steps) = (1_u64, 0.0_f32);
    for _ in 0..EPOCHS {
        shuffle(&mut rows, &mut seed);
        for (features, sign) in &rows {
            let rate = RATE / (1.0 + RATE * REGULARISATION * steps);
            let share = share(features.len());
            let weight = |feature: &usize| weights.get(*feature).copied().unwrap_or_default();
            let sum = features.iter().map(weight).sum::<f32>() * scale * share;
            let gradient = sign / (1.0 + (sign * sum).exp());
            scale *= 1.0 - rate * REGULARISATION;
            for feature in features {
                if let Some(weight) = weights.get_mut(*feature) {
                    *weight += rate * gradient * share / scale;
                }
            }
            steps += 1.0;
        }
    }
    let weight = |place: usize| weights.get(place).copied().unwrap_or_default() * scale;
    let mut pairs: Vec<(u64, f32)> =
        places.iter().map(|(feature, place)| (*feature, weight(*place))).collect();
    pairs.retain(|(_, weight)| weight.abs() >= MIN_WEIGHT);
    pairs.sort_unstable_by_key(|(feature, _)| *feature);
    Weights::from_pairs(fingerprint, pairs.into_iter())
}

/// Puts rows into another order, the same each time: the constants are those of MMIX.
fn shuffle<T>(rows: &mut [T], seed: &mut u64) {
    for at in (1..rows.len()).rev() {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        rows.swap(at, (*seed >> 33) as usize % (at + 1));
    }
}

/// Says for some limits how much is found of each label.
fn report(judged: &[(&Example, f32)]) {
    println!("limit  of noes         of what is asked for  of what is mentioned  of the rest");
    for limit in [0.0, 0.5, 0.7, 1.0, 1.5, 2.0] {
        let share = |label: Label| {
            let all = || judged.iter().filter(|(example, _)| example.label == label);
            let found = all().filter(|(_, score)| *score > limit).count();
            let all = all().count();
            format!("{:.1} % of {all}", 100.0 * found as f32 / all.max(1) as f32)
        };
        let [no, yes, neither, silent] =
            [Label::No, Label::Yes, Label::Neither, Label::Silent].map(share);
        println!("{limit:>5}  {no:14}  {yes:20}  {neither:20}  {silent}");
    }
}

/// Says of each act how many of its noes are found, and how often it is taken to be forbidden where it is not.
fn report_acts(judged: &[(&Example, f32)]) {
    let mut names: Vec<&str> = acts().map(|(_, act)| act.name()).collect();
    names.push(FILE);
    for of in names {
        let count = |is_no: bool, limit: f32| {
            let is_counted = |(example, score): &&(&Example, f32)| {
                name(example.topic) == of && (example.label == Label::No) == is_no && *score > limit
            };
            judged.iter().filter(is_counted).count()
        };
        let shares = [0.5, 0.7, 1.0, 1.5]
            .map(|limit| format!("{}+{}", count(true, limit), count(false, limit)));
        println!("{of:12} {:4} noes: {}", count(true, f32::NEG_INFINITY), shares.join("  "));
    }
}

/// What a change of a file is called here.
const FILE: &str = "a file";

fn name(topic: Topic) -> &'static str {
    acts().find(|(own, _)| *own == topic).map_or(FILE, |(_, act)| act.name())
}
