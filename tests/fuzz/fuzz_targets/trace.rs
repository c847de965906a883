//! Any bytes as a trace, in every format: reading and replaying under the strictest preset must not
//! panic or hang.
#![no_main]

use std::sync::{Arc, LazyLock};

use behavior_agents::{Format, detect};
use behavior_runtime::Image;
use behavior_tests::samples::{Made, image_of, run_through};
use libfuzzer_sys::fuzz_target;

static DEV: LazyLock<Arc<Image>> = LazyLock::new(|| Arc::new(image_of("profile: dev\n")));

fuzz_target!(|data: &[u8]| {
    let first = data.get(..4096).unwrap_or(data);
    let _ = detect(first);
    for format in [Format::Native, Format::ClaudeCode] {
        run_through(&DEV, Made::ByCompiler, data, format);
    }
});
