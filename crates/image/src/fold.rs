//! Texts whose letters are compared whatever their case: what folds to ASCII without being ASCII. Knows no image.

/// `text` with the Kelvin sign and the long s as the ASCII letters that they fold to.
pub(crate) fn fold_odd_letters<'a>(text: &'a str, scratch: &'a mut String) -> &'a str {
    if text.is_ascii() || !text.contains(['\u{212A}', '\u{17F}']) {
        return text;
    }
    scratch.clear();
    scratch.extend(text.chars().map(|character| match character {
        '\u{212A}' => 'k',
        '\u{17F}' => 's',
        other => other,
    }));
    scratch
}
