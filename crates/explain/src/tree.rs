//! Explanations as trees: text for a terminal, JSON, and an HTML page with collapsible branches.
//!
//! Invariant: a tree is at most [`MAX_DEPTH`] deep, so recursion over it is safe.

use std::fmt::Write as _;

use serde_json::{Value, json};

use asp_base::map::Set;
use asp_base::span::Span;

/// The greatest depth of a tree; what is below is left out and marked.
pub(crate) const MAX_DEPTH: usize = 60;

/// How many nodes a tree has at most, about: what would be too deep is told at its end as long as there are fewer.
pub(crate) const MAX_NODES: usize = 10_000;

/// The reason of a node whose reasons stand at the end of the tree.
pub(crate) const BELOW: &str = "told below";

/// How many nodes beside each other are told that come from the same statement, if there are many.
const LIKE: usize = 3;

/// A place in a source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlace {
    /// File.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The text there.
    pub text: String,
    /// The span there.
    pub span: Span,
    /// Whether the column is shown: a line of a grid holds many facts.
    pub exact: bool,
}

/// A claim of an explanation and what it depends on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    pub text: String,
    /// The reason, in words.
    pub reason: String,
    /// The statement that gives the reason.
    pub place: Option<SourcePlace>,
    /// What the reason depends on.
    pub children: Vec<Node>,
    /// How many of these are told where not all are wanted, if that is said.
    pub most: Option<usize>,
}

impl Node {
    /// A node with a text alone.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The same depending on some nodes, of which so many are told where not all are wanted.
    pub fn because(self, children: Vec<Self>, most: usize) -> Self {
        Self { children, most: Some(most), ..self }
    }

    /// The same with nodes at the end that are too deep elsewhere; where not all are wanted, only their number is told.
    pub(crate) fn with_below(mut self, below: Vec<Self>) -> Self {
        if !below.is_empty() {
            self.children.push(Self::new("told below:").because(below, 0));
        }
        self
    }

    /// The statements that it names.
    pub fn spans(&self) -> Set<Span> {
        let (mut spans, mut open) = (Set::default(), vec![self]);
        while let Some(node) = open.pop() {
            spans.extend(node.place.as_ref().map(|place| place.span));
            open.extend(&node.children);
        }
        spans
    }

    /// Lines of text.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, "", "", usize::MAX, None);
        out
    }

    /// Lines of text, cut at a depth where there are at most `lines` of them, and of many nodes beside each other all but so many;
    /// cuts are marked. Also how many lines are left out.
    pub fn to_text_within(&self, lines: usize) -> (String, usize) {
        let (mut widths, mut whole) = (Vec::new(), Vec::new());
        self.widths(0, true, &mut widths);
        self.widths(0, false, &mut whole);
        let (mut depth, mut sum) = (0, 0);
        let all: usize = whole.iter().sum();
        let mut text = String::new();
        for width in widths {
            sum += width;
            if sum > lines && depth > 1 {
                self.write(&mut text, "", "", depth - 1, Some(lines));
                return (text, all - (sum - width).min(lines + 1));
            }
            depth += 1;
        }
        self.write(&mut text, "", "", depth, Some(lines));
        (text, all - sum.min(lines + 1))
    }

    /// Numbers of nodes by depth; perhaps without those that are left out since they are like others.
    fn widths(&self, depth: usize, is_cut: bool, widths: &mut Vec<usize>) {
        if widths.len() <= depth {
            widths.push(0);
        }
        widths[depth] += 1;
        let (mut i, shown) = (0, self.shown(Some(usize::MAX)));
        while i < shown {
            self.children[i].widths(depth + 1, is_cut, widths);
            i += 1 + if is_cut { self.like(i, shown) } else { 0 };
        }
    }

    /// How many children are told where at most so many are wanted.
    fn shown(&self, wide: Option<usize>) -> usize {
        let most = wide.map_or(usize::MAX, |wide| wide.min(self.most.unwrap_or(wide)));
        self.children.len().min(most)
    }

    /// How many children after one are left out, where it is the last that is told of a run from the same statement.
    fn like(&self, child: usize, end: usize) -> usize {
        let span = |i: usize| self.children[i].place.as_ref().map(|place| place.span);
        let (Some(own), None) = (span(child), self.most) else { return 0 };
        let before = (0..=child).rev().take(LIKE + 1).take_while(|&i| span(i) == Some(own)).count();
        if before != LIKE {
            return 0;
        }
        let after = (child + 1..end).take_while(|&i| span(i) == Some(own)).count();
        if after > LIKE { after } else { 0 }
    }

    fn write(&self, out: &mut String, first: &str, rest: &str, depth: usize, wide: Option<usize>) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{first}{}", self.text);
        if !self.reason.is_empty() {
            let _ = write!(out, ": {}", self.reason);
        }
        if let Some(place) = &self.place {
            let _ = write!(out, "  [{}]", place.short());
        }
        if depth == 0 && !self.children.is_empty() {
            out.push_str(" ...");
        }
        out.push('\n');
        if depth == 0 {
            return;
        }
        let shown = self.shown(wide);
        let (mut i, mut told, end) = (0, 0, self.children.len());
        while i < end && told < shown {
            let like = if wide.is_some() { self.like(i, end) } else { 0 };
            let (child, last) = (&self.children[i], i + 1 == end);
            let (branch, below) = if last { ("`- ", "   ") } else { ("|- ", "|  ") };
            child.write(out, &format!("{rest}{branch}"), &format!("{rest}{below}"), depth - 1, wide);
            (i, told) = (i + 1, told + 1);
            if like > 0 {
                i += like;
                let branch = if i == end { '`' } else { '|' };
                let place = child.place.as_ref().map_or(String::new(), SourcePlace::short);
                let _ = writeln!(out, "{rest}{branch}- ... and {like} more  [{place}]");
            }
        }
        let more = end - i;
        if more > 0 {
            let _ = writeln!(out, "{rest}`- ... and {more} more");
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        let mut value = json!({ "text": self.text });
        if !self.reason.is_empty() {
            value["reason"] = json!(self.reason);
        }
        if let Some(place) = &self.place {
            value["place"] = place.to_json();
        }
        if !self.children.is_empty() {
            value["because"] = self.children.iter().map(Node::to_json).collect();
        }
        value
    }

    fn write_html(&self, out: &mut String, depth: usize) {
        let text = escape(&self.text);
        // A whole sentence contains no atom to highlight.
        let mut line = match text.strip_prefix("contradiction: ") {
            Some(rest) => format!("<strong>contradiction:</strong> {rest}"),
            None if self.reason.is_empty() && self.place.is_none() => text,
            None => format!("<b>{text}</b>"),
        };
        if !self.reason.is_empty() {
            let _ = write!(line, ": {}", escape(&self.reason));
        }
        if let Some(place) = &self.place {
            let title = escape(&place.text);
            let _ = write!(line, " <code title=\"{title}\">{}</code>", escape(&place.short()));
        }
        if self.children.is_empty() {
            let _ = writeln!(out, "<li>{line}</li>");
            return;
        }
        let open = if depth < 3 { " open" } else { "" };
        let _ = writeln!(out, "<li><details{open}><summary>{line}</summary><ul>");
        self.children.iter().for_each(|c| c.write_html(out, depth + 1));
        let _ = writeln!(out, "</ul></details></li>");
    }
}

/// Equal nodes as one that says how many there are.
pub fn merged(nodes: impl IntoIterator<Item = Node>) -> Vec<Node> {
    let mut kept: Vec<(Node, usize)> = Vec::new();
    for node in nodes {
        match kept.iter_mut().find(|(known, _)| *known == node) {
            Some((_, times)) => *times += 1,
            None => kept.push((node, 1)),
        }
    }
    let told = |(node, times): (Node, usize)| match times {
        1 => node,
        _ => Node { text: format!("{} ({times} instances)", node.text), ..node },
    };
    kept.into_iter().map(told).collect()
}

impl SourcePlace {
    /// The file without its folder, and the line.
    fn short(&self) -> String {
        let file = self.file.rsplit(['/', '\\', ':']).next().unwrap_or(&self.file);
        match self.exact {
            true => format!("{file}:{}:{}", self.line, self.column),
            false => format!("{file}:{}", self.line),
        }
    }
    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({ "file": self.file, "line": self.line, "column": self.column, "text": self.text })
    }
}

/// The style of a page: light or dark like the reader's system.
const STYLE: &str = "\
    :root { color-scheme: light dark; --text: #1f2328; --page: #ffffff; --soft: #59636e; --line: #d1d9e0; --wrong: #b3261e; }
    @media (prefers-color-scheme: dark) {
      :root { --text: #e6e8eb; --page: #16181c; --soft: #a3abb5; --line: #3b424a; --wrong: #ff8a80; }
    }
    body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page);
           max-width: 70em; margin: 2em auto; padding: 0 1em; }
    h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin-top: 1.6em; }
    ul { list-style: none; margin: 0; padding-left: 1.3em; border-left: 1px solid var(--line); }
    ul.top { border: 0; padding: 0; }
    li, summary { padding-left: 1.2em; text-indent: -1.2em; }
    li > details { padding: 0; margin-left: -1.2em; text-indent: 0; }
    li ul { text-indent: 0; }
    summary { cursor: pointer; } b { font-weight: 600; } strong { color: var(--wrong); }
    code { color: var(--soft); font-size: 85%; white-space: nowrap; }
    pre { overflow-x: auto; color: var(--soft); font-size: 85%; }
";

/// A part of a page: a heading and its content.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Section {
    /// The heading; none if it is empty.
    pub heading: String,
    /// A paragraph; none if it is empty.
    pub text: String,
    /// Lines as they were printed; none if it is empty.
    pub lines: String,
    /// Trees.
    pub trees: Vec<Node>,
}

/// A page with some trees.
pub fn page(title: &str, sections: &[Section]) -> String {
    let mut body = String::new();
    for s in sections {
        // Writing to a string cannot fail.
        if !s.heading.is_empty() {
            let _ = writeln!(body, "<h2>{}</h2>", escape(&s.heading));
        }
        if !s.text.is_empty() {
            let _ = writeln!(body, "<p>{}</p>", escape(s.text.trim()));
        }
        if !s.lines.is_empty() {
            let _ = writeln!(body, "<pre>{}</pre>", escape(s.lines.trim_end()));
        }
        if !s.trees.is_empty() {
            body.push_str("<ul class=\"top\">\n");
            s.trees.iter().for_each(|t| t.write_html(&mut body, 0));
            body.push_str("</ul>\n");
        }
    }
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

/// Text for HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_json_and_html() {
        let place = SourcePlace {
            file: "p.lp".into(),
            line: 3,
            column: 1,
            text: "a :- b, \"c\" < d.".into(),
            span: Span::NONE,
            exact: false,
        };
        let leaf = Node { text: "b".into(), reason: "fact".into(), place: Some(place), ..Node::default() };
        let inner = Node { children: vec![leaf.clone()], ..Node::new("c") };
        let tree = Node { reason: "rule".into(), children: vec![inner, leaf], ..Node::new("a") };
        assert_eq!(tree.to_text(), "a: rule\n|- c\n|  `- b: fact  [p.lp:3]\n`- b: fact  [p.lp:3]\n");
        assert_eq!(tree.to_json()["because"][0]["because"][0]["place"]["line"], 3);
        assert_eq!(tree.to_text_within(3), ("a: rule\n|- c ...\n`- b: fact  [p.lp:3]\n".to_string(), 1));
        let wide = Node { children: vec![Node::new("b"); 5], ..Node::new("a") };
        assert_eq!(wide.to_text_within(2), ("a\n|- b\n|- b\n`- ... and 3 more\n".to_string(), 3));
        let few = Node::new("a").because(vec![Node::new("b"); 5], 3);
        assert_eq!(few.to_text_within(9), ("a\n|- b\n|- b\n|- b\n`- ... and 2 more\n".to_string(), 0));
        assert_eq!(few.to_text().lines().count(), 6);
        let of_rule = |i: u32| Node { place: tree.children[1].place.clone(), ..Node::new(i.to_string()) };
        let like = Node { children: (0..9).map(of_rule).collect(), ..Node::new("a") };
        let text = "a\n|- 0  [p.lp:3]\n|- 1  [p.lp:3]\n|- 2  [p.lp:3]\n`- ... and 6 more  [p.lp:3]\n";
        assert_eq!(like.to_text_within(9), (text.to_string(), 6));
        assert_eq!(like.to_text().lines().count(), 10);
        let html = page("why <a>", &[Section { trees: vec![tree], ..Section::default() }]);
        assert!(html.contains("<title>why &lt;a&gt;</title>") && html.contains("&quot;c&quot; &lt; d."));
        assert_eq!(html.matches("<details").count(), 2);
    }
}
