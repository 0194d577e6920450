//! Questions above the text: its answer sets, whether there is just one, why there is none; and beside each `%@test`, its run.

use lsp_types::{CodeLens, Command, Uri};
use serde_json::json;

use super::convert;
use super::documents::View;
use super::run;
use asp_run::expectation::tests;

pub(super) fn lenses(view: &View, uri: &Uri) -> Vec<CodeLens> {
    let index = &view.index;
    let lens = |line: u32, title: &str, command: &str, arguments: Vec<serde_json::Value>| {
        let (start, end) = (index.lines.start(line), index.lines.end(line));
        CodeLens {
            range: convert::range(&index.lines, &(start..end)),
            command: Some(Command {
                title: title.to_string(),
                command: command.to_string(),
                arguments: Some(arguments),
            }),
            data: None,
        }
    };
    let mut found = Vec::new();
    if !index.items.is_empty() {
        for (title, command) in
            [("answer sets", run::ANSWERS), ("unique?", run::UNIQUE), ("why unsatisfiable?", run::WHY_UNSAT)]
        {
            found.push(lens(0, title, command, vec![json!(uri)]));
        }
    }
    for test in tests(&index.text).into_iter().flatten() {
        let line = test.line as u32 - 1;
        let arguments = vec![json!(uri), json!(line)];
        found.push(lens(line, "\u{25b6} run test", run::TEST, arguments.clone()));
        found.push(lens(line, "answer sets", run::ANSWERS, arguments));
    }
    found
}
