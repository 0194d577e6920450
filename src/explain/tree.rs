//! Explanations as trees: text for a terminal, JSON, and an HTML page whose branches fold.
//!
//! Invariant: a tree is at most [`MAX_DEPTH`] deep, so recursion over it is safe.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// How deep a tree may be; what is below is left out and marked.
pub const MAX_DEPTH: usize = 60;

/// A place in a source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// File.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The text there.
    pub text: String,
}

/// A statement of an explanation and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// What is the case.
    pub text: String,
    /// Why, in words.
    pub reason: String,
    /// The statement that says so.
    pub place: Option<Place>,
    /// What the reason rests on.
    pub children: Vec<Node>,
}

impl Node {
    /// A node with a text alone.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Lines of text.
    pub fn to_text(&self) -> String {
        self.to_depth(usize::MAX)
    }

    /// Lines of text, cut at a depth at which they are at most `lines`; what is cut is marked.
    pub fn to_text_within(&self, lines: usize) -> String {
        let mut widths = Vec::new();
        self.widths(0, &mut widths);
        let (mut depth, mut sum) = (0, 0);
        for width in widths {
            sum += width;
            if sum > lines && depth > 1 {
                return self.to_depth(depth - 1);
            }
            depth += 1;
        }
        self.to_text()
    }

    /// Numbers of nodes by depth.
    fn widths(&self, depth: usize, widths: &mut Vec<usize>) {
        if widths.len() <= depth {
            widths.push(0);
        }
        widths[depth] += 1;
        self.children.iter().for_each(|c| c.widths(depth + 1, widths));
    }

    fn to_depth(&self, depth: usize) -> String {
        let mut out = String::new();
        self.write(&mut out, "", "", depth);
        out
    }

    fn write(&self, out: &mut String, first: &str, rest: &str, depth: usize) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{first}{}", self.text);
        if !self.reason.is_empty() {
            let _ = write!(out, ": {}", self.reason);
        }
        if let Some(place) = &self.place {
            let _ = write!(out, "  [{}:{}]", place.short(), place.line);
        }
        if depth == 0 && !self.children.is_empty() {
            out.push_str(" ...");
        }
        out.push('\n');
        for (i, child) in self.children.iter().enumerate().filter(|_| depth > 0) {
            let last = i + 1 == self.children.len();
            let (branch, below) = if last { ("`- ", "   ") } else { ("|- ", "|  ") };
            child.write(out, &format!("{rest}{branch}"), &format!("{rest}{below}"), depth - 1);
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
        let mut line = format!("<b>{}</b>", escape(&self.text));
        if !self.reason.is_empty() {
            let _ = write!(line, ": {}", escape(&self.reason));
        }
        if let Some(place) = &self.place {
            let title = escape(&place.text);
            let _ = write!(line, " <code title=\"{title}\">{}:{}</code>", escape(place.short()), place.line);
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

impl Place {
    /// The file without its folder.
    pub fn short(&self) -> &str {
        self.file.rsplit(['/', '\\', ':']).next().unwrap_or(&self.file)
    }
    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({ "file": self.file, "line": self.line, "column": self.column, "text": self.text })
    }
}

/// A page with some trees.
pub fn page(title: &str, trees: &[Node]) -> String {
    let mut body = String::new();
    trees.iter().for_each(|t| t.write_html(&mut body, 0));
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\n\
         body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }}\n\
         ul {{ list-style: none; padding-left: 1.4em; border-left: 1px solid #ccc; }}\n\
         summary {{ cursor: pointer; }}\ncode {{ color: #666; font-size: 85%; }}\n\
         </style>\n</head>\n<body>\n<h1>{title}</h1>\n<ul>\n{body}</ul>\n</body>\n</html>\n"
    )
}

/// Text for HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_json_and_html() {
        let place = Place { file: "p.lp".into(), line: 3, column: 1, text: "a :- b, \"c\" < d.".into() };
        let leaf = Node { text: "b".into(), reason: "fact".into(), place: Some(place), children: Vec::new() };
        let inner = Node { children: vec![leaf.clone()], ..Node::new("c") };
        let tree = Node { text: "a".into(), reason: "rule".into(), place: None, children: vec![inner, leaf] };
        assert_eq!(tree.to_text(), "a: rule\n|- c\n|  `- b: fact  [p.lp:3]\n`- b: fact  [p.lp:3]\n");
        assert_eq!(tree.to_json()["because"][0]["because"][0]["place"]["line"], 3);
        assert_eq!(tree.to_text_within(3), "a: rule\n|- c ...\n`- b: fact  [p.lp:3]\n");
        let html = page("why <a>", &[tree]);
        assert!(html.contains("<title>why &lt;a&gt;</title>") && html.contains("&quot;c&quot; &lt; d."));
        assert_eq!(html.matches("<details").count(), 2);
    }
}
