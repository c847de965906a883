//! Any bytes as a trace, in every format: reading and replaying, under the strictest preset and under a
//! trace policy of every kind, must not panic or hang.
#![no_main]

use std::sync::{Arc, LazyLock};

use behavior_agents::{Format, detect};
use behavior_runtime::Image;
use behavior_tests::samples::{Made, image_of, run_through, watching_image};
use libfuzzer_sys::fuzz_target;

static DEV: LazyLock<Arc<Image>> = LazyLock::new(|| Arc::new(image_of("profile: dev\n")));
static WATCHING: LazyLock<Arc<Image>> = LazyLock::new(|| Arc::new(watching_image()));

fuzz_target!(|data: &[u8]| {
    let first = data.get(..4096).unwrap_or(data);
    let _ = detect(first);
    for format in Format::all() {
        run_through(&DEV, Made::ByCompiler, data, format);
        run_through(&WATCHING, Made::ByCompiler, data, format);
    }
});
