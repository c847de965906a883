//! Any bytes as an image, and valid images with damaged tables and mended checksums: what opens must
//! run without panicking.
//!
//! An input that starts with the magic bytes is taken as it is. Any other is a list of changes of
//! eight bytes each, made to one of the valid images.
#![no_main]

use std::sync::{Arc, LazyLock};

use behavior_agents::Format;
use behavior_runtime::Image;
use behavior_image::checksum;
use behavior_image::format::{HEADER_SIZE, MAGIC, SECTION_ENTRY_SIZE, SECTIONS, Section};
use behavior_tests::samples::{self, Made, look_at, run_through};
use libfuzzer_sys::fuzz_target;

static IMAGES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let image = |config| samples::image_of(config).as_bytes().to_vec();
    [image(samples::EVERYTHING), image("profile: dev\n")]
});

fuzz_target!(|data: &[u8]| {
    if data.starts_with(&MAGIC) {
        open(data.to_vec());
        return;
    }
    let Some((&which, changes)) = data.split_first() else { return };
    // The second is larger, and each of its patterns takes a while to make ready.
    let mut bytes = IMAGES[usize::from(which % 16 == 15)].clone();
    for change in changes.chunks_exact(8).take(32) {
        let at = u32::from_le_bytes([change[2], change[3], change[4], 0]);
        let value = [change[5], change[6], change[7]];
        apply(&mut bytes, change[0], change[1], at, value);
    }
    mend(&mut bytes);
    open(bytes);
});

/// The offset and length of a section, as the table says.
fn section(bytes: &[u8], index: usize) -> (usize, usize) {
    let row = HEADER_SIZE + index * SECTION_ENTRY_SIZE;
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    (number(row), number(row + 4))
}

fn apply(bytes: &mut [u8], index: u8, kind: u8, at: u32, value: [u8; 3]) {
    let index = usize::from(index) % SECTIONS;
    let (start, len) = section(bytes, index);
    if start + len > bytes.len() || len == 0 {
        return;
    }
    // Some tables hold texts and automata, which the fuzzer need not spend itself on.
    let bulky = index == Section::StringBytes as usize || index == Section::Automata as usize;
    let at = at as usize % len;
    let word = start + (at & !3);
    let fits = word + 4 <= start + len;
    match kind % 8 {
        0 => bytes[start + at] = value[0],
        1 if fits => bytes[word..word + 4].copy_from_slice(&u32::from(value[0]).to_le_bytes()),
        2 if fits && !bulky => bytes[word..word + 4].copy_from_slice(&u32::MAX.to_le_bytes()),
        3 if fits => {
            let old = u32::from_le_bytes(bytes[word..word + 4].try_into().unwrap());
            let new = old.wrapping_add_signed(i32::from(value[0] as i8));
            bytes[word..word + 4].copy_from_slice(&new.to_le_bytes());
        }
        4 if fits => {
            // Swap with another word of the section.
            let other = usize::from(u16::from_le_bytes([value[0], value[1]])) * 4 % len;
            let other = start + (other & !3);
            if other + 4 <= start + len {
                for byte in 0..4 {
                    bytes.swap(word + byte, other + byte);
                }
            }
        }
        5 => {
            // A shorter section.
            let row = HEADER_SIZE + index * SECTION_ENTRY_SIZE + 4;
            let shorter = len.saturating_sub(usize::from(value[0])) as u32;
            bytes[row..row + 4].copy_from_slice(&shorter.to_le_bytes());
        }
        6 => {
            // A section that lies where another does.
            let other = usize::from(value[0]) % SECTIONS;
            let from = HEADER_SIZE + other * SECTION_ENTRY_SIZE;
            let to = HEADER_SIZE + index * SECTION_ENTRY_SIZE;
            bytes.copy_within(from..from + SECTION_ENTRY_SIZE, to);
        }
        7 => bytes[start + at] ^= 1 << (value[0] & 7),
        _ => {}
    }
}

/// Makes the checksums right again.
fn mend(bytes: &mut [u8]) {
    for index in 0..SECTIONS {
        let (start, len) = section(bytes, index);
        let Some(body) = bytes.get(start..start + len) else { continue };
        let checksum = checksum(body);
        let at = HEADER_SIZE + index * SECTION_ENTRY_SIZE + 8;
        bytes[at..at + 4].copy_from_slice(&checksum.to_le_bytes());
    }
    let table = HEADER_SIZE..HEADER_SIZE + SECTIONS * SECTION_ENTRY_SIZE;
    // The rest of the header counts, too.
    let checksum = checksum(&[&bytes[..12], &bytes[16..HEADER_SIZE], &bytes[table]].concat());
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
}

fn open(bytes: Vec<u8>) {
    let Ok(image) = Image::from_bytes(bytes) else { return };
    let image = Arc::new(image);
    look_at(&image);
    run_through(&image, Made::ByForger, samples::EVENTS.as_bytes(), Format::NATIVE);
}
