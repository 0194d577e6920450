//! The file by which runs share better costs: a line for each answer set that was the best when it was found.
//!
//! A line has the costs, most important level first, and behind a tab what the answer set shows as a JSON array, unless
//! that is very long.
//! Invariant: only whole lines count, and each is read once.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use asp_options::disk;

/// The most bytes of an answer set in the file.
const MAX_BYTES: usize = 1 << 16;

/// An answer set in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Noted {
    /// Costs by level, most important first.
    pub costs: Vec<i64>,
    /// Its shown symbols.
    pub shown: Option<Vec<String>>,
}

/// The file, as far as it was read.
#[derive(Clone, Debug)]
pub(crate) struct BoundFile {
    path: PathBuf,
    levels: usize,
    read: u64,
    best: Option<Noted>,
}

impl BoundFile {
    /// A file for costs with so many levels, which is made if it is not there yet.
    pub(crate) fn open(name: &str, levels: usize) -> io::Result<Self> {
        OpenOptions::new().append(true).create(true).open(name)?;
        Ok(Self { path: name.into(), levels, read: 0, best: None })
    }

    /// The best answer set in it. Other lines are ignored, and so is a file that cannot be read.
    pub(crate) fn best(&mut self) -> Option<&Noted> {
        if let Ok(text) = self.rest() {
            for line in text.lines() {
                let noted = parse(line).filter(|noted| noted.costs.len() == self.levels);
                let better = |n: &Noted| self.best.as_ref().is_none_or(|best| n.costs < best.costs);
                if let Some(noted) = noted.filter(better) {
                    self.best = Some(noted);
                }
            }
        }
        self.best.as_ref()
    }

    /// The whole lines that were not read yet.
    fn rest(&mut self) -> io::Result<String> {
        let mut file = disk::open(&self.path)?;
        if file.metadata()?.len() == self.read {
            return Ok(String::new());
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        bytes.truncate(bytes.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1));
        self.read += bytes.len() as u64;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Adds an answer set; what it shows comes as JSON strings with commas between.
    pub(crate) fn note(&self, costs: &[i64], shown: &[u8]) -> io::Result<()> {
        let numbers: Vec<String> = costs.iter().map(i64::to_string).collect();
        // In one piece, so that lines of several runs do not mix.
        let mut line = numbers.join(" ").into_bytes();
        if shown.len() <= MAX_BYTES && !shown.contains(&b'\n') {
            for part in [b"\t[", shown, b"]"] {
                line.extend_from_slice(part);
            }
        }
        line.push(b'\n');
        OpenOptions::new().append(true).open(&self.path)?.write_all(&line)
    }
}

/// Reads a line.
fn parse(line: &str) -> Option<Noted> {
    let (costs, shown) = line.split_once('\t').map_or((line, None), |(costs, shown)| (costs, Some(shown)));
    let costs = costs.split_ascii_whitespace().map(|n| n.parse().ok()).collect::<Option<Vec<i64>>>()?;
    Some(Noted { costs, shown: shown.and_then(|json| serde_json::from_str(json).ok()) })
}

/// The best answer set of a file that others have written; costs of any number of levels.
pub fn best_of(name: &str) -> Result<Option<Noted>, String> {
    let text = match disk::read_to_string(name) {
        // No run has found anything, or there was none.
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|why| format!("{name} could not be read: {why}"))?,
    };
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    Ok(whole.lines().filter_map(parse).filter(|n| !n.costs.is_empty()).min_by(|a, b| a.costs.cmp(&b.costs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_whole_line_counts() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("bounds");
        let name = name.to_str().unwrap();
        let mut file = BoundFile::open(name, 2).unwrap();
        assert_eq!(file.best(), None);
        for (costs, best) in [([5, 3], [5, 3]), ([5, -1], [5, -1]), ([7, 0], [5, -1]), ([4, 9], [4, 9])] {
            file.note(&costs, format!("\"a({})\", \"b\"", costs[0]).as_bytes()).unwrap();
            let shown = Some(vec![format!("a({})", best[0]), "b".to_string()]);
            assert_eq!(file.best(), Some(&Noted { costs: best.to_vec(), shown }));
        }
        assert_eq!(best_of(name), Ok(file.best().cloned()));
        std::fs::write(name, "nonsense\n3 4 5\n7 7\n1 2").unwrap();
        let best = Noted { costs: vec![7, 7], shown: None };
        assert_eq!(BoundFile::open(name, 2).unwrap().best(), Some(&best));
    }
}
