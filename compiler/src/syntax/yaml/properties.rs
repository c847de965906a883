//! Reads what stands before a value: anchors and tags; and aliases, which stand for one.

use super::explain::Fault;
use super::reader::{Properties, Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::YAML_TAG;

impl<'t> Reader<'t> {
    /// Anchors and tags at the end of a line: they are those of the value below.
    pub(super) fn properties_alone(
        &mut self,
        column: isize,
        may_open: bool,
        own: Properties,
    ) -> Result<()> {
        if may_open && self.is_key_place(column) {
            return Err(Fault::NoColon { start: own.start });
        }
        self.properties = self.merged(own)?;
        let limit = self.blocks.last().map_or(-1, |block| block.column + 1);
        self.tab_limit = limit;
        self.end_of_line()
    }

    /// The properties of a value: those on its line and those on lines above.
    pub(super) fn merged(&mut self, own: Properties) -> Result<Properties> {
        let above = std::mem::take(&mut self.properties);
        if !above.any() {
            return Ok(own);
        }
        let is_double = above.anchor.is_some() && own.anchor.is_some()
            || above.has_tag && own.has_tag
            || above.anchor.is_some() && above.has_tag && own.any();
        if is_double {
            return Err(Fault::TwoProperties { at: own.start });
        }
        Ok(Properties {
            anchor: above.anchor.or(own.anchor),
            has_tag: above.has_tag || own.has_tag,
            start: above.start,
        })
    }

    /// Reads an anchor or a tag.
    pub(super) fn property(&mut self, properties: &mut Properties, in_flow: bool) -> Result<()> {
        let start = self.at;
        self.is_entangled = true;
        if !properties.any() {
            properties.start = start;
        }
        let is_anchor = self.byte(start) == b'&';
        let is_double = if is_anchor { properties.anchor.is_some() } else { properties.has_tag };
        if is_double {
            return Err(Fault::TwoProperties { at: start });
        }
        if is_anchor {
            let name = self.name()?;
            properties.anchor = Some(self.tree.define(name));
            return Ok(());
        }
        properties.has_tag = true;
        self.tag(in_flow)
    }

    /// Reads the name of an anchor or alias behind its indicator.
    fn name(&mut self) -> Result<&'t str> {
        let start = self.at;
        let rest = self.get(start + 1, self.text.len());
        let ends = |c: char| {
            matches!(c, ' ' | '\t' | '\n' | '\r' | ',' | '[' | ']' | '{' | '}' | '\u{FEFF}')
        };
        let length = rest.find(ends).unwrap_or(rest.len());
        if length == 0 {
            return Err(Fault::Reserved { at: start });
        }
        self.at = start + 1 + length;
        self.check_characters(start, self.at)?;
        Ok(self.get(start + 1, self.at))
    }

    pub(super) fn alias(&mut self, in_flow: bool) -> Result<()> {
        let start = self.at;
        self.is_entangled = true;
        let name = self.name()?;
        let is_separate = self.is_space(self.at)
            || in_flow && matches!(self.byte(self.at), b',' | b']' | b'}' | b'[' | b'{');
        if !is_separate {
            return Err(Fault::EndOfLine { at: self.at });
        }
        self.tree.alias(name, start, self.at);
        Ok(())
    }

    /// Reads a tag and reports it; the value is kept.
    fn tag(&mut self, in_flow: bool) -> Result<()> {
        let start = self.at;
        let rest = self.get(start, self.text.len());
        let ends = |c: char| {
            c.is_ascii_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}') && in_flow
        };
        let length = match rest.strip_prefix("!<") {
            Some(uri) => uri.find('>').map_or(2, |end| end + 3),
            None => rest.find(ends).unwrap_or(rest.len()),
        };
        self.at = start + length;
        let tag = self.get(start, self.at);
        let named = tag.get(1..).and_then(|tag| tag.find('!')).is_some_and(|handle| handle > 0);
        if named || !self.is_space(self.at) && !in_flow {
            self.at = start;
            return Err(Fault::Tag { at: start });
        }
        let message =
            format!("the tag `{tag}` is not supported: rule files hold plain values only");
        let problem = Diagnostic::new(&YAML_TAG, self.tree.span(start, self.at), message)
            .help("delete the tag; to make a value a string, put it in quotes");
        self.tree.diagnostics.push(problem);
        Ok(())
    }
}
