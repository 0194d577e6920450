//! The file of cubes: JSON lines, a head and one line for each cube.
//!
//! ```text
//! {"cubes":2,"program":"3f...","projection":"none","parent":null}
//! {"id":"1","program":"3f...","projection":"none","literals":[3],"text":"queen(1,2)"}
//! {"id":"2","program":"3f...","projection":"none","literals":[-3],"text":"not queen(1,2)"}
//! ```
//!
//! Literals are numbers of atoms in aspif, negated for `not`; the text is for people. The cubes of a cube have its name and
//! a number behind it, as `2.1`, and a head that names it as their parent.
//! Invariant: a line stands for itself: a run needs no other.

use serde::{Deserialize, Serialize};

use crate::disk;
use asp_base::map::Set;
use asp_solve::Projection;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// How many there are.
    pub cubes: usize,
    /// The ground program.
    pub program: String,
    /// Under which projection no answer set is in two of them.
    pub projection: String,
    /// The cube that they are parts of.
    pub parent: Option<String>,
}

/// A part of the search space: the answer sets in which some literals hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cube {
    /// How `--cube` and results name it.
    pub id: String,
    /// The ground program.
    pub program: String,
    /// Under which projection it has no answer set in common with the others.
    pub projection: String,
    /// The literals that hold in it.
    pub literals: Vec<i64>,
    /// The same for people.
    #[serde(default)]
    pub text: String,
}

/// The cubes of a program, or of one of its cubes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CubeFile {
    /// The first line.
    pub head: Head,
    /// One for each line after it.
    pub cubes: Vec<Cube>,
}

/// How files name a projection.
pub fn word(projection: Projection) -> &'static str {
    match projection {
        Projection::None => "none",
        Projection::Show => "show",
        Projection::Project => "project",
    }
}

/// Reads a file of cubes.
pub fn read(name: &str) -> Result<CubeFile, String> {
    let text = disk::read_to_string(name).map_err(|why| format!("{name} could not be read: {why}"))?;
    parse(&text).map_err(|(line, what)| format!("{name}:{line}: {what}"))
}

/// Reads the text of a file of cubes.
///
/// # Errors
/// The number of a line, and what is wrong there.
pub fn parse(text: &str) -> Result<CubeFile, (usize, String)> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let head = lines.next().and_then(|(_, line)| serde_json::from_str::<Head>(line).ok());
    let expected = "expected the heading of a file of cubes, as `asp cubes` writes it";
    let head = head.ok_or_else(|| (1, expected.to_string()))?;
    let mut cubes: Vec<Cube> = Vec::new();
    let mut known = Set::default();
    let mut last = 1;
    for (at, line) in lines {
        last = at + 1;
        let cube: Cube =
            serde_json::from_str(line).map_err(|why| (at + 1, format!("this is not a cube: {why}")))?;
        if cube.literals.iter().any(|&l| l == 0 || l == i64::MIN) {
            return Err((at + 1, "a literal is the number of an atom, negated for `not`".into()));
        }
        if cube.program != head.program || cube.projection != head.projection {
            return Err((
                at + 1,
                "this cube is of another ground program or projection than the heading".into(),
            ));
        }
        if !known.insert(cube.id.clone()) {
            return Err((at + 1, format!("cube {} occurs twice", cube.id)));
        }
        cubes.push(cube);
    }
    if cubes.len() != head.cubes {
        return Err((last, format!("{} cubes are announced, {} are there", head.cubes, cubes.len())));
    }
    Ok(CubeFile { head, cubes })
}

/// The cube that `ID@FILE` names.
pub(crate) fn find(text: &str) -> Result<Cube, String> {
    let (id, name) = text.split_once('@').ok_or_else(|| format!("'{text}': expected ID@FILE"))?;
    let file = read(name)?;
    let count = file.cubes.len();
    let found = file.cubes.into_iter().find(|cube| cube.id == id);
    found.ok_or_else(|| format!("{name} has no cube '{id}', but {count} others"))
}

/// The lines of a file.
pub fn write(file: &CubeFile) -> String {
    let mut text = line(&file.head);
    file.cubes.iter().for_each(|cube| text.push_str(&line(cube)));
    text
}

fn line(value: &impl Serialize) -> String {
    // Texts and numbers can always be written.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> CubeFile {
        let cube = |id: &str, literal: i64| Cube {
            id: id.into(),
            program: "ab".into(),
            projection: "none".into(),
            literals: vec![literal],
            text: String::new(),
        };
        let head = Head { cubes: 2, program: "ab".into(), projection: "none".into(), parent: None };
        CubeFile { head, cubes: vec![cube("1", 3), cube("2", -3)] }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(parse(&write(&example())), Ok(example()));
    }

    #[test]
    fn what_is_no_file_of_cubes() {
        let whole = write(&example());
        let lines: Vec<&str> = whole.lines().collect();
        for (text, line, what) in [
            (String::new(), 1, "head"),
            ("{}".into(), 1, "head"),
            (format!("{}\n{}\n", lines[0], lines[1]), 2, "2 cubes are announced, 1 are there"),
            (format!("{}\n{}\n{}\n", lines[0], lines[1], lines[1]), 3, "cube 1 occurs twice"),
            (format!("{}\n{}\nnonsense\n", lines[0], lines[1]), 3, "not a cube"),
            (whole.replace("[-3]", "[0]"), 3, "a literal"),
            (whole.replacen("\"ab\"", "\"cd\"", 1), 2, "another ground program"),
        ] {
            let (at, message) = parse(&text).unwrap_err();
            assert!(at == line && message.contains(what), "{at}: {message}");
        }
    }
}
