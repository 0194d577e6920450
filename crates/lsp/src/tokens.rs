//! The colours of a text: the kind of each token and name.

use lsp_types::{SemanticToken, SemanticTokens};
use serde_json::{Value, json};

use asp_analysis::kinds::{Kind, Role};
use asp_analysis::text::TextIndex;
use asp_syntax::token::Token;

/// The kinds that tokens have, as editors know them.
const KINDS: [&str; 12] = [
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "variable",
    "function",
    "enumMember",
    "struct",
    "macro",
    "namespace",
    "parameter",
];

/// The names of kinds and modifiers.
pub(super) fn legend() -> Value {
    json!({ "tokenTypes": KINDS, "tokenModifiers": ["definition"] })
}

fn kind(name: &str) -> u32 {
    KINDS.iter().position(|k| *k == name).unwrap_or(0) as u32
}

pub(super) fn tokens(index: &TextIndex) -> SemanticTokens {
    // Start, end, kind, whether it is defined here.
    let mut found: Vec<(usize, usize, u32, u32)> = Vec::new();
    let mut names = index.names.iter().peekable();
    for &(lo, token, hi) in &index.tokens {
        let mut name = None;
        while let Some(own) = names.next_if(|n| n.range.start <= lo) {
            name = Some(own).filter(|n| n.range.start == lo);
        }
        let of_name = name.map(|n| match n.kind {
            Kind::Predicate { .. } => "function",
            Kind::Variable => "variable",
            Kind::Constant => "enumMember",
            Kind::Function => "struct",
            Kind::External | Kind::Theory => "macro",
            Kind::Part => "namespace",
            Kind::Parameter => "parameter",
            Kind::Unknown => "function",
        });
        let defines = u32::from(name.is_some_and(|n| n.role == Role::Define));
        if let Some(own) = of_name.or_else(|| of_token(token, index.slice(&(lo..hi)))) {
            found.push((lo, hi, kind(own), defines));
        }
    }
    found.extend(index.comments.iter().map(|c| (c.start, c.end, kind("comment"), 0)));
    found.sort_unstable();
    let (mut data, mut last) = (Vec::new(), (0, 0));
    let mut push = |from: usize, to: usize, token_type: u32, modifiers: u32| {
        let (start, end) = (index.lines.position(from), index.lines.position(to));
        if end <= start {
            return;
        }
        let delta_line = start.line - last.0;
        let delta_start = if delta_line == 0 { start.character - last.1 } else { start.character };
        last = (start.line, start.character);
        let length = end.character - start.character;
        data.push(SemanticToken {
            delta_line,
            delta_start,
            length,
            token_type,
            token_modifiers_bitset: modifiers,
        });
    };
    for (lo, hi, token_type, modifiers) in found {
        // A token of several lines is one a line.
        for line in index.lines.line(lo)..=index.lines.line(hi) {
            let (from, to) = (lo.max(index.lines.start(line)), hi.min(index.lines.end(line)));
            if from < to {
                push(from, to, token_type, modifiers);
            }
        }
    }
    SemanticTokens { result_id: None, data }
}

/// The kind of a token that is no name: words begin with `#`, other signs are operators.
fn of_token(token: Token, text: &str) -> Option<&'static str> {
    use Token::*;
    match token {
        Identifier | ScriptText | BlockComment | Dot | Comma | Semicolon => None,
        OpenParen | CloseParen | OpenBrace | CloseBrace | OpenBracket | CloseBracket => None,
        Variable | Anonymous => Some("variable"),
        Number => Some("number"),
        String => Some("string"),
        Not => Some("keyword"),
        _ => Some(if text.starts_with('#') { "keyword" } else { "operator" }),
    }
}
