//! smoke
use behavior_tests::provider;
#[test]
fn presets() {
    for p in behavior_stdlib::PRESETS {
        let prov = provider(&[("behavior.yaml", &format!("profile: {p}\n"))]);
        let t = std::time::Instant::now();
        let c = behavior_compiler::compile(&prov, "behavior.yaml");
        println!("{p}: {:?}", t.elapsed());
        for d in &c.diagnostics {
            let s = c.sources.get(d.span.file).unwrap();
            let pos = s.position(d.span.start);
            println!(
                "{}:{}:{} {} {} {:?}",
                s.name, pos.line, pos.column, d.kind.name, d.message, d.help
            );
        }
        let image = c.image.expect("image");
        println!("{} bytes, {} rules", image.as_bytes().len(), image.rule_count());
        for (n, s) in image.sections() {
            if s > 1000 {
                println!("  {n} {s}");
            }
        }
        for r in 0..image.rule_count() {
            println!("{:?}", image.rule(r).unwrap().id);
            for l in image.disassemble(r) {
                println!("{}", l.chars().take(100).collect::<String>());
            }
        }
    }
}
