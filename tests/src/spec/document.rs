//! Reads a document: headings, fenced blocks, tables. Knows Markdown as far as the specification
//! uses it, and not what any block means.

use std::ops::Range;

/// What stands under one heading, up to the next heading of any level.
#[derive(Debug, Default)]
pub struct Section {
    /// The headings above it and its own, joined by ` > `.
    pub title: String,
    /// The heading's line, from 1.
    pub line: usize,
    /// Its fenced blocks, in order.
    pub blocks: Vec<Block>,
    /// Its tables, in order.
    pub tables: Vec<Table>,
}

/// A fenced block.
#[derive(Debug)]
pub struct Block {
    /// The first word behind the fence.
    pub language: String,
    /// The `title="…"` behind it.
    pub title: Option<String>,
    /// What stands between the fences.
    pub text: String,
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// The bytes of the document that `text` is.
    pub range: Range<usize>,
}

/// A table.
#[derive(Debug)]
pub struct Table {
    /// The cells of the first row.
    pub header: Vec<String>,
    /// Each further row's line, from 1, and cells.
    pub rows: Vec<(usize, Vec<String>)>,
    last_line: usize,
}

/// The sections of a document. A fence that is never closed is an error.
///
/// # Errors
/// When a block does not end.
pub fn parse(text: &str) -> Result<Vec<Section>, String> {
    let mut reader = Reader { sections: vec![Section::default()], path: Vec::new(), open: None };
    let mut offset = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        reader.line(index + 1, offset, line.trim_end_matches(['\n', '\r']), line);
        offset += line.len();
    }
    match reader.open {
        Some((_, block)) => Err(format!("the block of line {} is never closed", block.line)),
        None => Ok(reader.sections),
    }
}

struct Reader {
    sections: Vec<Section>,
    path: Vec<(usize, String)>,
    open: Option<(String, Block)>,
}

impl Reader {
    fn line(&mut self, number: usize, offset: usize, line: &str, whole: &str) {
        if let Some((fence, block)) = &mut self.open {
            if line != fence {
                block.text.push_str(whole);
                block.range.end = offset + whole.len();
                return;
            }
            if let (Some((_, block)), Some(section)) = (self.open.take(), self.sections.last_mut())
            {
                section.blocks.push(block);
            }
            return;
        }
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks >= 3 {
            let start = offset + whole.len();
            let (language, title) = info(line.trim_start_matches('`'));
            let block =
                Block { language, title, text: String::new(), line: number, range: start..start };
            self.open = Some(("`".repeat(ticks), block));
            return;
        }
        let level = line.len() - line.trim_start_matches('#').len();
        if level > 0 && line.get(level..).is_some_and(|rest| rest.starts_with(' ')) {
            self.heading(number, level, line.get(level..).unwrap_or_default().trim());
        } else if line.starts_with('|') {
            self.table(number, line);
        }
    }

    fn heading(&mut self, number: usize, level: usize, title: &str) {
        self.path.retain(|(above, _)| *above < level);
        self.path.push((level, title.to_owned()));
        let titles: Vec<&str> = self.path.iter().map(|(_, title)| title.as_str()).collect();
        let title = titles.join(" > ");
        self.sections.push(Section { title, line: number, ..Section::default() });
    }

    fn table(&mut self, number: usize, line: &str) {
        let Some(section) = self.sections.last_mut() else { return };
        let cells = cells(line);
        let is_rule = cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ')));
        match section.tables.last_mut().filter(|table| table.last_line + 1 == number) {
            Some(table) => {
                table.last_line = number;
                if !is_rule {
                    table.rows.push((number, cells));
                }
            }
            None => {
                section.tables.push(Table { header: cells, rows: Vec::new(), last_line: number });
            }
        }
    }
}

/// `yaml title="behavior.yaml"`.
fn info(text: &str) -> (String, Option<String>) {
    let language = text.split_whitespace().next().unwrap_or_default().to_owned();
    let title = text.split_once("title=\"").and_then(|(_, rest)| rest.split_once('"'));
    (language, title.map(|(title, _)| title.to_owned()))
}

fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|');
    let mut cells = vec![String::new()];
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, cells.last_mut()) {
            ('\\', Some(cell)) if chars.peek() == Some(&'|') => {
                chars.next();
                cell.push('|');
            }
            ('|', _) => cells.push(String::new()),
            (c, Some(cell)) => cell.push(c),
            _ => {}
        }
    }
    // What stands behind the last `|` is no cell.
    cells.pop();
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// The texts in backticks of a cell; of one without any, the cell itself, unless it is empty.
#[must_use]
pub fn code_spans(cell: &str) -> Vec<String> {
    let mut spans = Vec::new();
    let mut rest = cell;
    while let Some(start) = rest.find('`') {
        let after = rest.get(start..).unwrap_or_default();
        let ticks = after.len() - after.trim_start_matches('`').len();
        let fence = "`".repeat(ticks);
        let body = after.get(ticks..).unwrap_or_default();
        let Some(end) = body.find(&fence) else { break };
        let text = body.get(..end).unwrap_or_default();
        // A text that starts or ends with a backtick is kept apart from the fence by a blank.
        let is_padded = ticks > 1 && text.starts_with(' ') && text.ends_with(' ');
        spans.push(if is_padded { text.trim().to_owned() } else { text.to_owned() });
        rest = body.get(end + ticks..).unwrap_or_default();
    }
    if spans.is_empty() && !cell.is_empty() {
        spans.push(cell.to_owned());
    }
    spans
}
