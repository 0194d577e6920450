//! A text to be read as the command line names it: `FILE`, `pred=FILE`, `pred(column,...)=FILE`.
//!
//! Invariant: the name in a request is a valid predicate name.

/// A text to be read as facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The predicate, if it is named.
    pub predicate: Option<String>,
    /// The wanted columns, in this order, if they are named.
    pub columns: Option<Vec<String>>,
    /// The file; `-` is standard input.
    pub file: String,
}

impl Request {
    /// Reads `FILE` or `pred=FILE`, for grids.
    pub fn grid(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, file)) if is_predicate(name) && !file.is_empty() => {
                Ok(Self { predicate: Some(name.into()), columns: None, file: file.into() })
            }
            _ if text.is_empty() => Err("expected FILE or PREDICATE=FILE".into()),
            _ => Ok(Self { predicate: None, columns: None, file: text.into() }),
        }
    }

    /// Reads `pred=FILE` or `pred(column,...)=FILE`, for tables.
    pub fn table(text: &str) -> Result<Self, String> {
        let wrong = || "expected PREDICATE=FILE or PREDICATE(COLUMN,...)=FILE".to_string();
        if let Some((name, rest)) = text.split_once('(').filter(|(name, _)| is_predicate(name)) {
            let (columns, file) = rest.split_once(")=").ok_or_else(wrong)?;
            let columns: Vec<String> = columns.split(',').map(|c| c.trim().to_string()).collect();
            if file.is_empty() || columns.iter().any(String::is_empty) {
                return Err(wrong());
            }
            return Ok(Self { predicate: Some(name.into()), columns: Some(columns), file: file.into() });
        }
        let (name, file) = text.split_once('=').ok_or_else(wrong)?;
        if !is_predicate(name) || file.is_empty() {
            return Err(wrong());
        }
        Ok(Self { predicate: Some(name.into()), columns: None, file: file.into() })
    }
}

/// Whether a text is the name of a predicate.
pub(crate) fn is_predicate(name: &str) -> bool {
    let rest = name.trim_start_matches('_');
    rest.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'')
        && name != "not"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: Result<Request, String>, expect: Option<(&str, &[&str], &str)>) {
        let shown =
            request.ok().map(|r| (r.predicate.unwrap_or_default(), r.columns.unwrap_or_default(), r.file));
        let expect = expect.map(|(name, columns, file)| {
            (name.to_string(), columns.iter().map(ToString::to_string).collect(), file.to_string())
        });
        assert_eq!(shown, expect);
    }

    #[test]
    fn requests() {
        check(Request::grid("my.txt"), Some(("", &[], "my.txt")));
        check(Request::grid("given=my.txt"), Some(("given", &[], "my.txt")));
        check(Request::grid("./a=b.txt"), Some(("", &[], "./a=b.txt")));
        check(Request::table("edge=a=b.csv"), Some(("edge", &[], "a=b.csv")));
        check(Request::table("edge(from, to)=a.csv"), Some(("edge", &["from", "to"], "a.csv")));
        for wrong in ["edge", "Edge=a.csv", "edge=", "edge()=a", "edge(a=b", "=a", "not=a"] {
            check(Request::table(wrong), None);
        }
        check(Request::grid(""), None);
    }
}
