//! The tools: their arguments, and the runs of asp that they make.
//!
//! Invariant: arguments become names of files in the folder, terms of constants, numbers and atoms; never options.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use asp_run::confined::stays;

use super::Limits;
use super::call::{Run, Told};

/// The file of a program that is given as text.
pub(super) const PROGRAM: &str = "program.lp";
/// The exit code of `why` for an atom that holds in no answer set, and for one that no rule has in its head.
const HOLDS_NOWHERE: [Option<i32>; 2] = [Some(1), Some(3)];

pub(super) struct Tool {
    name: &'static str,
    about: &'static str,
    /// Arguments beside the program, with their schemas.
    more: &'static [(&'static str, &'static str)],
    pub(super) kind: Kind,
}

/// How a tool asks asp, and how it replies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Check,
    Solve,
    Count,
    Why,
    WhyUnsat,
    Explain,
    Format,
    Test,
}

const ATOM: (&str, &str) = ("atom", r#"{"type": "string", "description": "A ground atom, as queen(1,5)"}"#);

static TOOLS: [Tool; 8] = [
    Tool {
        name: "check",
        about: "What is wrong with a program: errors, warnings and lints, each with file, line, column and advice",
        more: &[],
        kind: Kind::Check,
    },
    Tool {
        name: "solve",
        about: "Answer sets of a program; with #minimize or #maximize, better and better ones up to the best",
        more: &[
            (
                "models",
                r#"{"type": "integer", "minimum": 0, "description": "How many; 0: all. Without it one, or with an objective the best"}"#,
            ),
            (
                "consequences",
                r#"{"enum": ["brave", "cautious"], "description": "Instead: what holds in some, or in all answer sets"}"#,
            ),
        ],
        kind: Kind::Solve,
    },
    Tool { name: "count", about: "How many answer sets a program has", more: &[], kind: Kind::Count },
    Tool {
        name: "why",
        about: "Why an atom holds: the rules and facts that it rests on, with their places",
        more: &[ATOM],
        kind: Kind::Why,
    },
    Tool {
        name: "why-unsat",
        about: "Why a program has no answer set: statements that contradict each other, none of which is superfluous",
        more: &[],
        kind: Kind::WhyUnsat,
    },
    Tool {
        name: "explain",
        about: "Why an atom holds, or, if it holds in no answer set, why not",
        more: &[ATOM],
        kind: Kind::Explain,
    },
    Tool {
        name: "fmt",
        about: "A program's text laid out in the usual style",
        more: &[],
        kind: Kind::Format,
    },
    Tool {
        name: "test",
        about: "Runs the %@test comments of a program, as `%@test: count 2`, `%@test: unsat`, `%@test: contains p(1)`",
        more: &[],
        kind: Kind::Test,
    },
];

pub(super) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// All tools, as a client reads them.
pub(super) fn list() -> Value {
    TOOLS.iter().map(Tool::describe).collect()
}

impl Tool {
    /// The schemas of the arguments, by their names.
    fn properties(&self) -> Map<String, Value> {
        let mut properties = Map::new();
        let mut put = |name: &str, schema: Value| drop(properties.insert(name.into(), schema));
        put(
            "program",
            json!({ "type": "string", "description": "Text of a program in clingo's language; messages call it program.lp" }),
        );
        if self.kind != Kind::Format {
            put(
                "files",
                json!({ "type": "array", "items": { "type": "string" }, "description": "Files of the server's folder, or of asp's library" }),
            );
        }
        if !matches!(self.kind, Kind::Format | Kind::Test) {
            put(
                "constants",
                json!({ "type": "object", "additionalProperties": { "type": ["string", "integer"] }, "description": "Values of #const" }),
            );
        }
        for (name, schema) in self.more {
            put(name, serde_json::from_str(schema).unwrap_or_default());
        }
        properties
    }

    fn describe(&self) -> Value {
        let required: &[&str] = match self.kind {
            Kind::Format => &["program"],
            Kind::Why | Kind::Explain => &["atom"],
            _ => &[],
        };
        json!({
            "name": self.name,
            "description": self.about,
            "inputSchema": { "type": "object", "properties": self.properties(), "required": required, "additionalProperties": false },
            "outputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        })
    }

    /// The run that comes after those that have told something; nothing if these suffice.
    pub(super) fn next(
        &self,
        arguments: &Value,
        limits: Limits,
        told: &[Told],
    ) -> Result<Option<Run>, String> {
        let denied = told.first().is_some_and(|first| HOLDS_NOWHERE.contains(&first.code));
        let command: &[&str] = match (self.kind, told.len()) {
            (Kind::Check, 0) => &["check", "--message-format=json"],
            (Kind::Solve, 0) => &["--outf=2"],
            (Kind::Count, 0) => &["count", "-q"],
            (Kind::Why | Kind::Explain, 0) => &["why", "--format=json", "-q"],
            (Kind::Explain, 1) if denied => &["why-not", "--format=json", "-q"],
            (Kind::WhyUnsat, 0) => &["why-unsat", "--format=json", "-q"],
            (Kind::Format, 0) => &["fmt"],
            (Kind::Test, 0) => &["test"],
            _ => return Ok(None),
        };
        let mut args: Vec<String> = command.iter().map(ToString::to_string).collect();
        let given = Given::read(self, arguments)?;
        if self.kind != Kind::Format {
            args.push(format!("--time-limit={}", limits.seconds));
            args.push(format!("--memory-limit={}", limits.megabytes));
        }
        for (name, value) in &given.constants {
            args.extend(["-c".into(), format!("{name}={value}")]);
        }
        if self.kind == Kind::Solve {
            args.extend(given.models.map(|number| format!("--models={number}")));
            args.extend(given.consequences.map(|mode| format!("--enum-mode={mode}")));
        }
        args.push("--".into());
        args.extend(given.atom);
        args.extend(given.files);
        let files = given.program.map(|text| (PROGRAM.to_string(), text)).into_iter().collect();
        let wants = if self.kind == Kind::Format { vec![PROGRAM.into()] } else { Vec::new() };
        Ok(Some(Run { args, files, wants }))
    }
}

/// Arguments that were checked.
struct Given {
    program: Option<String>,
    files: Vec<String>,
    constants: BTreeMap<String, String>,
    models: Option<u64>,
    consequences: Option<&'static str>,
    atom: Option<String>,
}

impl Given {
    fn read(tool: &Tool, arguments: &Value) -> Result<Self, String> {
        let arguments = arguments.as_object().ok_or("the arguments are no object")?;
        let known = tool.properties();
        if let Some(other) = arguments.keys().find(|name| !known.contains_key(*name)) {
            let known = known.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            return Err(format!("`{}` takes no `{other}`; it takes {known}", tool.name));
        }
        let text = |name: &str| match arguments.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("`{name}` is no text")),
        };
        let program = text("program")?;
        let mut files: Vec<String> = program.iter().map(|_| PROGRAM.into()).collect();
        for file in list_of(arguments, "files")? {
            let name = file.as_str().ok_or("`files` has something else than names")?;
            if !stays(name) || name.starts_with('-') || name == PROGRAM {
                return Err(format!("`{name}` is no file of the folder of asp mcp"));
            }
            files.push(name.to_string());
        }
        if files.is_empty() {
            return Err("a program is needed, as text in `program` or as names in `files`".into());
        }
        let mut constants = BTreeMap::new();
        let given = match arguments.get("constants") {
            None => None,
            Some(Value::Object(given)) => Some(given),
            Some(_) => return Err("`constants` is no object of names and values".into()),
        };
        for (name, value) in given.into_iter().flatten() {
            let is_name = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) if !number.is_f64() => number.to_string(),
                _ => return Err(format!("the value of the constant `{name}` is no text and no integer")),
            };
            if !is_name {
                return Err(format!("`{name}` is no name of a constant"));
            }
            if value.trim().is_empty() || value.contains('\0') {
                return Err(format!("the value of the constant `{name}` is no term"));
            }
            constants.insert(name.clone(), value);
        }
        let models = match arguments.get("models") {
            None => None,
            Some(number) => Some(number.as_u64().ok_or("`models` is no number of answer sets")?),
        };
        let consequences = match text("consequences")?.as_deref() {
            None => None,
            Some("brave") => Some("brave"),
            Some("cautious") => Some("cautious"),
            Some(other) => return Err(format!("`consequences` is brave or cautious, not {other}")),
        };
        let atom = text("atom")?;
        if tool.more.iter().any(|(name, _)| *name == "atom") && atom.is_none() {
            return Err("an `atom` is needed".into());
        }
        Ok(Self { program, files, constants, models, consequences, atom })
    }
}

/// The elements of a list; none if it is not there.
fn list_of<'a>(arguments: &'a Map<String, Value>, name: &str) -> Result<&'a [Value], String> {
    match arguments.get(name) {
        None => Ok(&[]),
        Some(Value::Array(all)) => Ok(all),
        Some(_) => Err(format!("`{name}` is no list")),
    }
}
