//! Programs with values and constraints over several terms expanded: text to text.
//!
//! What needs no expansion stays as written, with comments and blanks; included texts are inlined. Auxiliary predicates get
//! unused names and stay hidden, if need be by showing all others.

use super::{Control, Error};
use asp_base::map::Set;
use asp_rewrite::expand::{self, Expander};
use asp_syntax::ast::{LiteralKind, Sign, Statement, StatementKind};
use asp_syntax::token::Token;
use asp_syntax::written::Piece;
use asp_syntax::{parse_pieces, print};

/// A piece of the text.
struct Part {
    /// Blanks and comments before the first token.
    before: String,
    /// The statement as written.
    written: String,
    statements: Vec<Statement>,
}

impl Control {
    /// The pending texts, expanded. None is left to be parsed.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn expanded(&mut self) -> Result<String, Error> {
        let inputs =
            std::mem::take(&mut self.texts.pending).into_iter().map(super::Source::into_input).collect();
        let mut parts = Vec::new();
        let (mut in_base, mut names) = (true, Vec::new());
        let (symbols, sources) = (&mut self.symbols, &mut self.texts.sources);
        let found = parse_pieces(inputs, symbols, sources, &mut *self.texts.loader, &mut |piece, symbols| {
            match piece {
                Piece::Begin { .. } if !std::mem::replace(&mut in_base, true) => {
                    let (before, written) = ("\n".to_string(), "#program base.\n".to_string());
                    parts.push(Part { before, written, statements: Vec::new() });
                }
                Piece::Begin { .. } => {}
                Piece::Statement { file, range, tokens, statements } => {
                    let at = |place: u32| (place - file.start) as usize;
                    let start = tokens.first().map_or(range.end, |t| at(t.0));
                    let first = tokens.first().map(|t| t.1);
                    if let Some(StatementKind::Part { name, params }) = statements.first().map(|s| &s.kind) {
                        in_base = symbols.str(*name) == "base" && params.is_empty();
                    }
                    let identifiers = tokens.iter().filter(|t| t.1 == Token::Identifier);
                    names.extend(identifiers.map(|t| file.text[at(t.0)..at(t.2)].to_string()));
                    let included = first == Some(Token::Include) && statements.is_empty();
                    let written = if included { "" } else { &file.text[start..range.end] };
                    let before = file.text[range.start..start].trim_start_matches('\u{feff}').to_string();
                    parts.push(Part { before, written: written.to_string(), statements });
                }
            }
            true
        });
        self.diagnostics.extend(found);
        let names = names.iter().map(|name| self.symbols.intern(name)).collect();
        let mut expander = Expander::visible(&names, &self.symbols);
        let (mut out, mut shows, mut signatures) = (String::new(), false, Set::default());
        for part in &parts {
            let mut texts: Vec<String> = Vec::new();
            for s in &part.statements {
                shows |= matches!(s.kind, StatementKind::ShowNothing | StatementKind::ShowSignature(_));
                signatures.extend(derived(s));
                let expanded = expander.statement(s, &mut self.symbols, &mut self.diagnostics);
                texts.extend(expanded.iter().map(|s| print::statement(s, &self.symbols)));
            }
            out.push_str(&part.before);
            if part.statements.iter().any(expand::is_needed) {
                out.push_str(&texts.join("\n"));
            } else {
                out.push_str(&part.written);
            }
        }
        if self.check_for_errors()? {
            return Err(Error::Parse(self.report("parsing failed")));
        }
        if expander.auxiliaries() > 0 && !shows {
            let mut lines: Vec<String> = signatures
                .into_iter()
                .map(|(name, arity, negative)| {
                    format!("#show {}{}/{arity}.\n", if negative { "-" } else { "" }, self.symbols.str(name))
                })
                .collect();
            lines.sort();
            out.push_str(if out.ends_with('\n') { "" } else { "\n" });
            lines.iter().for_each(|line| out.push_str(line));
        }
        Ok(out)
    }
}

/// The predicates that a statement may derive: names, arities, signs.
fn derived(s: &Statement) -> Vec<(asp_base::symbol::StrId, usize, bool)> {
    let parts = s.kind.parts();
    let heads = parts.head.into_iter().flat_map(|h| h.derived()).filter_map(|(l, _)| match &l.kind {
        LiteralKind::Atom(a) if l.sign == Sign::None => Some(a),
        _ => None,
    });
    let external = parts.atom.filter(|_| matches!(s.kind, StatementKind::External { .. }));
    heads.chain(external).flat_map(|a| a.args.iter().map(|args| (a.name, args.len(), a.negative))).collect()
}
