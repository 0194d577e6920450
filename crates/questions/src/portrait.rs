//! Pictures of answer sets given by their atoms.

use asp_base::symbol::{Sym, Symbols};
use asp_picture::{Atom, Painter, Picture, Scene, svg};

/// A name and arguments.
pub type Named = (String, Vec<Sym>);

/// The input for pictures of a program's answer sets.
pub struct Portrait<'s> {
    /// The table that the facts' symbols are read with.
    pub symbols: &'s Symbols,
    /// All facts.
    pub facts: &'s [Named],
    /// Possible shown symbols.
    pub possible: &'s [Named],
    /// The shown symbols of one answer set.
    pub holds: &'s [Named],
    /// Whether that is what several answer sets show.
    pub several: bool,
}

fn atoms(named: &[Named]) -> Vec<Atom<'_>> {
    named.iter().map(|(name, args)| Atom { name, args }).collect()
}

impl Portrait<'_> {
    fn paint(&self) -> Result<Picture, String> {
        let scene = Scene { facts: atoms(self.facts), possible: atoms(self.possible) };
        let holds = atoms(self.holds);
        let painter = Painter::new(self.symbols, &scene, &holds, None, self.several)?;
        Ok(painter.paint(self.symbols, &holds))
    }

    /// As an SVG file, or why there is nothing to draw.
    pub fn svg(&self) -> Result<String, String> {
        Ok(svg::file(&[(String::new(), svg::draw(&self.paint()?))]))
    }

    /// As lines of text.
    pub fn text(&self) -> Result<String, String> {
        let lines = self.paint()?.lines(false);
        Ok(lines.iter().map(|line| format!("{}\n", line.trim_end())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atoms;
    use asp_control::Control;

    /// The drawing of an answer set given as facts.
    fn drawn(text: &str) -> Result<(String, String), String> {
        let mut control = Control::new();
        control.settings.ground.keep_facts = true;
        control.add(text);
        control.ground().expect("it grounds");
        let symbols = control.symbols();
        let named = |a: Atom<'_>| (a.name.to_string(), a.args.to_vec());
        let facts: Vec<Named> = atoms::facts(control.program(), symbols).into_iter().map(named).collect();
        let portrait = Portrait { symbols, facts: &facts, possible: &facts, holds: &facts, several: false };
        Ok((portrait.text()?, portrait.svg()?))
    }

    #[track_caller]
    fn check(text: &str, line: &str, shape: &str) {
        let (lines, svg) = drawn(text).expect("a picture");
        assert!(lines.contains(line), "{lines}");
        assert!(svg.starts_with("<svg") && svg.contains(shape), "{svg}");
    }

    #[test]
    fn answer_sets_are_drawn_as_the_command_line_draws_them() {
        check("v(1,1,a). v(1,2,b). v(2,1,b). v(2,2,a).", "│ a b │", "data-cell=\"2,2\"");
        check("node(1..2). edge(1,2).", "1", "data-node");
        check(
            "shift(ann,mon,early). shift(ann,tue,late). shift(bob,mon,late).",
            "│ ann │ early │ late │",
            "early",
        );
        check("duration(a,3). duration(b,2). start(a,1). start(b,4).", "a │███  │ 1-4", "<rect");
        check("drive(van,depot,ulm). drive(van,ulm,depot).", "van: depot -> ulm -> depot", "depot");
        check("likes(ann,\"<b>\").", "<b>", "&lt;b&gt;");
        assert!(drawn("a. b.").is_err());
    }
}
