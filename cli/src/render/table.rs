//! Columns for people.

use crate::screen::width;

/// Rows with each column as wide as its widest cell, two blanks between columns, none at the end.
#[must_use]
pub fn render(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max();
    let widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
    rows.iter()
        .map(|row| {
            let cells = row.iter().zip(&widths).map(|(cell, widest)| {
                let blanks = " ".repeat(widest.saturating_sub(width(cell)));
                format!("{cell}{blanks}")
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a", "é", ""], vec!["long", "b", "c"], vec!["日本", "b", "c"]];
        let rows = rows.map(|row| row.into_iter().map(str::to_owned).collect());
        assert_eq!(render(&rows), ["a     é", "long  b  c", "日本  b  c"]);
    }
}
