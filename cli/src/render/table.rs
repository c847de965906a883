//! Columns for people.

use crate::screen::{clip, width};

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

/// The same, in lines of at most `room` columns as far as one column can be cut for that.
#[must_use]
pub fn render_within(rows: &[Vec<String>], column: usize, room: usize) -> Vec<String> {
    /// Shorter cells say nothing.
    const LEAST: usize = 12;
    let widest = render(rows).iter().map(|line| width(line)).max().unwrap_or(0);
    let cells = rows.iter().filter_map(|row| row.get(column));
    let own = cells.map(|cell| width(cell)).max().unwrap_or(0);
    let over = widest.saturating_sub(room);
    if over == 0 || own <= LEAST {
        return render(rows);
    }
    let room = own.saturating_sub(over).max(LEAST);
    let mut rows = rows.to_vec();
    for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
        *cell = clip(cell, room);
    }
    render(&rows)
}

#[cfg(test)]
mod tests {
    use super::{render, render_within};

    #[test]
    fn one_column_is_cut_so_that_lines_fit() {
        let rows = [vec!["a", "a long text that is cut", "z"], vec!["b", "short", "y"]];
        let rows = rows.map(|row| row.into_iter().map(str::to_owned).collect());
        assert_eq!(render_within(&rows, 1, 20), ["a  a long text t…  z", "b  short           y"]);
        assert_eq!(render_within(&rows, 1, 80), render(&rows));
        assert_eq!(render_within(&rows, 1, 5)[1], "b  short         y");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a", "é", ""], vec!["long", "b", "c"], vec!["日本", "b", "c"]];
        let rows = rows.map(|row| row.into_iter().map(str::to_owned).collect());
        assert_eq!(render(&rows), ["a     é", "long  b  c", "日本  b  c"]);
    }
}
