//! Puzzles as people type them: rows of cells, perhaps with signs between them, a frame, and numbers around it.
//!
//! One text may contain statements (`given 1 2 3`), a grid of values, and a grid of letters that says which region each
//! cell belongs to. Grids are separated by blank lines; a full square, or a change to letters, also starts a new one.
//!
//! Invariant: every row of a grid has the same number of cells, and a sign lies between two of them.

mod signs;

use super::lines::{Kind, Line, Piece, Token, lines};
use super::puzzle::{At, Content, Puzzle};
use super::{Bytes, MAX_MESSAGES, Problems, Text};
use asp_base::diagnostic::Diagnostic;

/// The greatest number of cells of a grid.
pub(crate) const MAX_CELLS: usize = 1_000_000;

const NO_PUZZLE: &str = "there is no puzzle in this file";
const CELLS: &str = "expected rows of cells: digits, letters past 9, `.` for an empty cell";

/// Reads a puzzle. `named`: the user named the predicate of the cells, so that letters and 0 are values.
pub fn read(text: Text<'_>, named: bool) -> Result<Puzzle, Problems> {
    let mut lines = lines(text)?;
    // A printed solution is not part of the puzzle.
    if let Some(end) = lines.iter().position(|l| l.kind == Kind::Solution) {
        let is_puzzle = |l: &Line| !matches!(l.kind, Kind::Blank | Kind::Solution);
        if lines[..end].iter().any(is_puzzle) {
            lines.truncate(end);
        }
    }
    let mut reader = Reader { text, named, puzzle: Puzzle::default(), problems: Vec::new() };
    let mut grids = Vec::new();
    let mut open: Vec<&Line> = Vec::new();
    for line in &lines {
        match line.kind {
            Kind::Statement => reader.statement(line),
            Kind::Solution => {}
            Kind::Blank if reader.is_full(&open) => grids.push(std::mem::take(&mut open)),
            Kind::Blank => open.push(line),
            _ => {
                let new = open.last().is_some_and(|l| l.kind == Kind::Blank)
                    && line.kind == Kind::Cells
                    && reader.starts_another(&open, line);
                if new {
                    grids.push(std::mem::take(&mut open));
                }
                open.push(line);
            }
        }
    }
    grids.push(open);
    grids.retain(|lines| lines.iter().any(|l| l.kind != Kind::Blank));
    for grid in &mut grids {
        grid.retain(|l| l.kind != Kind::Blank);
        reader.grid(grid);
    }
    if reader.problems.is_empty() && grids.is_empty() && reader.puzzle == Puzzle::default() {
        let span = text.span(0, text.text.len().min(1));
        return Err(vec![Diagnostic::error(span, NO_PUZZLE).help(CELLS)]);
    }
    reader.puzzle.top = first_line(text.text);
    if reader.problems.is_empty() { Ok(reader.puzzle) } else { Err(reader.problems) }
}

/// The first line of a puzzle that is not a comment.
fn first_line(text: &str) -> Bytes {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        if !(words.is_empty() || words.starts_with('%') || words.starts_with("# ")) {
            let from = at + (line.len() - line.trim_start().len());
            return (from, from + words.len());
        }
        at += line.len();
    }
    (0, 0)
}

struct Row<'a> {
    line: &'a Line,
    /// Cells and the signs between them, without bars.
    inner: Vec<Token>,
    west: Vec<Token>,
    east: Vec<Token>,
}

/// A cell with its position on the page.
#[derive(Clone, Copy)]
struct Cell {
    token: Token,
}

struct Reader<'a> {
    text: Text<'a>,
    named: bool,
    puzzle: Puzzle,
    problems: Problems,
}

impl<'a> Reader<'a> {
    fn word(&self, token: Token) -> &'a str {
        &self.text.text[token.from..token.to]
    }

    fn problem(&mut self, from: usize, to: usize, message: impl Into<String>, help: &str) {
        if self.problems.len() < MAX_MESSAGES {
            let span = self.text.span(from, to);
            let mut diagnostic = Diagnostic::error(span, message);
            if !help.is_empty() {
                diagnostic = diagnostic.help(help);
            }
            self.problems.push(diagnostic);
        }
    }

    fn line_problem(&mut self, line: &Line, message: impl Into<String>, help: &str) {
        let content = &self.text.text[line.from..line.to];
        let lead = content.len() - content.trim_start().len();
        self.problem(line.from + lead, line.from + content.trim_end().len(), message, help);
    }

    /// `given 1 2 3` and the like.
    fn statement(&mut self, line: &Line) {
        let content = &self.text.text[line.from..line.to];
        let content = content.split(['%', '#']).next().unwrap_or("");
        let mut words = Vec::new();
        let mut at = 0;
        for word in content.split_whitespace() {
            let from = at + content[at..].find(word).unwrap_or(0);
            at = from + word.len();
            words.push((line.from + from, word));
        }
        let Some(&(start, name)) = words.first() else { return };
        let (name, arity, form) = match name {
            "greater" | "greater_than" => ("greater", 4, "greater ROW COLUMN ROW COLUMN"),
            "white" => (name, 4, "white ROW COLUMN ROW COLUMN"),
            "black" => (name, 4, "black ROW COLUMN ROW COLUMN"),
            // As many cells as are there, two at least.
            "thermo" => (name, (words.len() / 2 * 2).max(4), "thermo ROW COLUMN ROW COLUMN ..."),
            "given" => ("given", 3, "given ROW COLUMN VALUE"),
            "region" => ("region", 3, "region ROW COLUMN REGION"),
            _ => ("clue", 3, "clue SIDE LINE NUMBER"),
        };
        let arguments = &words[1..];
        if arguments.len() != arity {
            let found = arguments.len();
            let message = format!("expected {arity} arguments, found {found}");
            return self.problem(start, line.from + content.trim_end().len(), message, form);
        }
        let mut numbers = Vec::new();
        for (i, &(from, word)) in arguments.iter().enumerate() {
            let side = super::puzzle::SIDES.iter().position(|s| *s == word);
            let number = match (name, i, side) {
                ("clue", 0, Some(side)) => Some(side as i64),
                ("clue", 0, None) => None,
                _ => word.parse::<i64>().ok(),
            };
            let of_value = matches!(name, "given" | "region" | "clue");
            let is_position = !(of_value && i == 2 || name == "clue" && i == 0);
            let fits = |n: &i64| !is_position || (1..=MAX_CELLS as i64).contains(n);
            match number.filter(fits) {
                Some(number) => numbers.push(number),
                None => {
                    let expected = match (name, i) {
                        ("clue", 0) => "expected a side: n, e, s or w",
                        _ if is_position => "expected a row or column, counted from 1",
                        _ => "expected an integer",
                    };
                    return self.problem(from, from + word.len(), expected, form);
                }
            }
        }
        let at = |i: usize| (numbers[i] as usize, numbers[i + 1] as usize);
        let bytes = (start, line.from + content.trim_end().len());
        let puzzle = &mut self.puzzle;
        match name {
            "given" => puzzle.given.push((at(0), Content::Number(numbers[2]), bytes)),
            "region" => puzzle.regions.push((at(0), Content::Number(numbers[2]), bytes)),
            "greater" => {
                puzzle.greater.entry((at(0), at(2))).or_insert(bytes);
            }
            "white" | "black" => {
                let (a, b) = (at(0).min(at(2)), at(0).max(at(2)));
                puzzle.dots.entry((a, b)).or_insert((name == "black", bytes));
            }
            "thermo" => {
                let cells = (0..numbers.len() / 2).map(|i| at(2 * i)).collect();
                puzzle.thermometers.push((cells, bytes));
            }
            _ => {
                let (side, line) = (numbers[0] as usize, numbers[1] as usize);
                let number =
                    puzzle.clues.range((side, line, 0, i64::MIN)..(side, line + 1, 0, i64::MIN)).count();
                puzzle.clues.entry((side, line, number + 1, numbers[2])).or_insert(bytes);
            }
        }
        // Signs lie between two lines of the grid, so they show its size as cells do.
        let cells: Vec<At> = match name {
            "greater" | "white" | "black" => vec![at(0), at(2)],
            "thermo" => (0..numbers.len() / 2).map(|i| at(2 * i)).collect(),
            "clue" => Vec::new(),
            _ => vec![at(0)],
        };
        let side = cells.iter().map(|p| p.0.max(p.1)).max().unwrap_or(0);
        self.puzzle.rows = self.puzzle.rows.max(side);
        self.puzzle.columns = self.puzzle.columns.max(side);
    }

    /// Whether lines form a complete square.
    fn is_full(&self, open: &[&Line]) -> bool {
        let rows: Vec<&Line> = open.iter().copied().filter(|l| l.kind == Kind::Cells).collect();
        let framed = open.iter().any(|l| l.kind == Kind::Rule);
        let Some(first) = rows.first() else { return false };
        !framed && rows.len() > 1 && self.count(first, true) == rows.len()
    }

    /// Whether a line after a blank one cannot belong to the rows before it.
    fn starts_another(&self, open: &[&Line], line: &Line) -> bool {
        let Some(first) = open.iter().find(|l| l.kind == Kind::Cells) else { return false };
        let letters = |l: &Line| {
            let mut cells = l.tokens.iter().filter(|t| t.is_cell()).peekable();
            cells.peek().is_some()
                && cells
                    .all(|t| t.piece == Piece::Word && self.word(*t).bytes().all(|b| b.is_ascii_alphabetic()))
        };
        let all_letters = open.iter().filter(|l| l.kind == Kind::Cells).all(|l| letters(l));
        all_letters != letters(line)
            || (self.count(first, true) != self.count(line, true)
                && self.count(first, false) != self.count(line, false))
    }

    fn count(&self, line: &Line, glued: bool) -> usize {
        let cells = line.tokens.iter().filter(|t| t.is_cell());
        let size = |t: &Token| if glued && t.piece == Piece::Word { t.to - t.from } else { 1 };
        cells.map(size).sum()
    }

    fn grid(&mut self, lines: &[&Line]) {
        if lines.iter().all(|l| matches!(l.kind, Kind::Across | Kind::Down)) {
            return self.signs_only(lines);
        }
        let before = self.problems.len();
        let Some((rows, above, below)) = self.rows(lines) else { return };
        let Some(cells) = self.cells(&rows) else { return };
        let (height, width) = (cells.len(), cells.first().map_or(0, Vec::len));
        if self.problems.len() > before || height == 0 || width == 0 {
            return;
        }
        if height * width > MAX_CELLS {
            let message = format!("{height} rows of {width} cells are more than {MAX_CELLS} cells");
            return self.line_problem(lines[0], message, "");
        }
        self.across(&rows, &cells);
        self.down(lines, &rows, &cells);
        self.edge_clues(&rows, &above, &below, &cells);
        if self.problems.len() == before {
            self.contents(&cells, lines[0]);
        }
    }

    /// The rows of cells, and the lines of clues above and below them.
    fn rows<'l>(&mut self, lines: &[&'l Line]) -> Option<(Vec<Row<'l>>, Vec<&'l Line>, Vec<&'l Line>)> {
        let rules: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].kind == Kind::Rule).collect();
        if let (Some(&top), Some(&bottom)) = (rules.first(), rules.last()) {
            let left = lines[top].tokens.first().map_or(0, |t| t.column);
            let right = lines[top].tokens.last().map_or(0, |t| t.column);
            let near = |t: &Token, x: usize| t.piece == Piece::Bar && t.column.abs_diff(x) <= 1;
            let inside: Vec<&Line> =
                lines[top..bottom].iter().copied().filter(|l| l.kind == Kind::Cells).collect();
            let has_frame =
                |l: &&Line| l.tokens.iter().any(|t| near(t, left)) && l.tokens.iter().any(|t| near(t, right));
            if bottom > top && !inside.is_empty() && inside.iter().all(has_frame) {
                let row = |line: &'l Line| {
                    let from = line.tokens.iter().position(|t| near(t, left)).unwrap_or(0);
                    let to = line.tokens.iter().rposition(|t| near(t, right)).unwrap_or(from);
                    Row {
                        line,
                        west: line.tokens[..from].to_vec(),
                        inner: line.tokens[from..to]
                            .iter()
                            .filter(|t| t.piece != Piece::Bar)
                            .copied()
                            .collect(),
                        east: line.tokens[to + 1..].to_vec(),
                    }
                };
                let cells = |range: &[&'l Line]| -> Vec<&'l Line> {
                    range.iter().copied().filter(|l| l.kind == Kind::Cells).collect()
                };
                let rows =
                    lines[top..bottom].iter().copied().filter(|l| l.kind == Kind::Cells).map(row).collect();
                return Some((rows, cells(&lines[..top]), cells(&lines[bottom..])));
            }
        }
        let plain = |line: &'l Line| Row {
            line,
            west: Vec::new(),
            inner: line.tokens.iter().filter(|t| t.piece != Piece::Bar).copied().collect(),
            east: Vec::new(),
        };
        let mut rows: Vec<Row<'l>> =
            lines.iter().copied().filter(|l| l.kind == Kind::Cells).map(plain).collect();
        if let Some(stray) = lines.iter().find(|l| l.kind == Kind::Across) {
            let help =
                "signs `<` and `>` go between two cells; a puzzle without cells has lines of signs only";
            self.line_problem(stray, "there is no cell next to these signs", help);
            return None;
        }
        // A frame of clues without lines: the first and last row are two shorter, since they have no corners.
        let count = |row: &Row<'_>| row.inner.iter().filter(|t| t.is_cell()).count();
        let counts: Vec<usize> = rows.iter().map(count).collect();
        if let [first, inner @ .., last] = counts.as_slice() {
            let n = inner.len();
            let is_frame = n > 0 && *first == n && *last == n && inner.iter().all(|&c| c == n + 2);
            if is_frame {
                let last = rows.pop().map(|r| r.line);
                let first = rows.remove(0).line;
                for row in &mut rows {
                    row.west = row.inner.drain(..1).collect();
                    row.east = row.inner.pop().into_iter().collect();
                }
                return Some((rows, vec![first], last.into_iter().collect()));
            }
        }
        Some((rows, Vec::new(), Vec::new()))
    }

    /// The cells of the rows: either words are cells, or each of their characters is.
    fn cells(&mut self, rows: &[Row<'_>]) -> Option<Vec<Vec<Cell>>> {
        if rows.is_empty() {
            // There are only lines.
            self.problem(0, self.text.text.len().min(1), NO_PUZZLE, CELLS);
            return None;
        }
        let cells =
            |row: &Row<'_>| -> Vec<Token> { row.inner.iter().filter(|t| t.is_cell()).copied().collect() };
        let by_word: Vec<Vec<Token>> = rows.iter().map(cells).collect();
        let by_letter: Vec<Vec<Token>> =
            by_word.iter().map(|row| row.iter().flat_map(|t| letters(*t)).collect()).collect();
        let is_even = |rows: &[Vec<Token>]| rows.iter().all(|r| r.len() == rows[0].len());
        let is_square = |rows: &[Vec<Token>]| is_even(rows) && rows[0].len() == rows.len();
        let long = |t: &Token| t.piece == Piece::Word && t.to - t.from > 1;
        let touches = by_word.iter().any(|row| {
            row.windows(2).any(|pair| pair[0].to == pair[1].from && (long(&pair[0]) || long(&pair[1])))
        });
        let mixed = by_word.iter().flatten().any(|t| {
            let word = self.word(*t).as_bytes();
            word.iter().any(u8::is_ascii_digit) && word.iter().any(u8::is_ascii_alphabetic)
        });
        let all_letters = by_word
            .iter()
            .flatten()
            .all(|t| t.piece == Piece::Word && self.word(*t).bytes().all(|b| b.is_ascii_alphabetic()));
        // A square on one line, as programs exchange Sudokus.
        if let ([_], [row]) = (by_word.as_slice(), by_letter.as_slice()) {
            let n = row.len().isqrt();
            let boxes = n.isqrt();
            let glued = by_word[0].windows(2).all(|pair| pair[0].to == pair[1].from);
            if glued && n * n == row.len() && boxes * boxes == n && n > 1 {
                return Some(
                    row.chunks(n).map(|row| row.iter().map(|&token| Cell { token }).collect()).collect(),
                );
            }
        }
        let glued = touches
            || mixed
            || (all_letters && by_word.iter().flatten().any(long))
            || (!is_square(&by_word) && is_square(&by_letter));
        let chosen = if glued || !is_even(&by_word) && is_even(&by_letter) { by_letter } else { by_word };
        let width = chosen.first().map_or(0, Vec::len);
        // The most common width is the right one.
        let mut widths: Vec<usize> = chosen.iter().map(Vec::len).collect();
        widths.sort_unstable();
        let common = widths.chunk_by(|a, b| a == b).max_by_key(|c| c.len()).map_or(width, |c| c[0]);
        for (row, line) in chosen.iter().zip(rows) {
            if row.len() != common {
                let message = format!("this row has {} cells, others have {common}", row.len());
                let help = "numbers around the edge stand outside a frame of lines, or in a first and last row and \
                            column with the corners left out and `.` where there is none";
                self.line_problem(line.line, message, help);
            }
        }
        if widths.iter().any(|&w| w != common) {
            return None;
        }
        Some(chosen.into_iter().map(|row| row.into_iter().map(|token| Cell { token }).collect()).collect())
    }

    /// The number that a word means: digits, or a letter past 9.
    fn number(&self, token: Token) -> Option<i64> {
        let word = self.word(token);
        match word.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => {
                Some(i64::from(letter.to_ascii_uppercase() - b'A') + 10)
            }
            _ => word.parse().ok(),
        }
    }

    /// Reads the contents of the cells.
    fn contents(&mut self, cells: &[Vec<Cell>], first: &Line) {
        let words = || cells.iter().flatten().filter(|c| c.token.piece == Piece::Word);
        let total = cells.iter().map(Vec::len).sum::<usize>();
        let count = words().count();
        let are_names = (count == total || self.named && count > 0)
            && words().all(|c| self.word(c.token).bytes().all(|b| b.is_ascii_alphabetic()));
        let (rows, columns) = (cells.len(), cells.first().map_or(0, Vec::len));
        let known = (self.puzzle.rows, self.puzzle.columns);
        let has_grid = !self.puzzle.given.is_empty() || !self.puzzle.walls.is_empty();
        if (known != (0, 0) && known != (rows, columns) && (has_grid || !self.puzzle.regions.is_empty()))
            || known.0 > rows
            || known.1 > columns
        {
            let message =
                format!("this grid is {rows} by {columns}, what stands before it {} by {}", known.0, known.1);
            return self.line_problem(first, message, "all parts of a puzzle have the same size");
        }
        if are_names {
            let small = words().any(|c| self.word(c.token).bytes().any(|b| b.is_ascii_lowercase()));
            let mut found = Vec::new();
            for (at, cell) in positions(cells) {
                let bytes = (cell.token.from, cell.token.to);
                if cell.token.piece == Piece::Wall {
                    self.puzzle.walls.push((at, bytes));
                }
                if cell.token.piece != Piece::Word {
                    continue;
                }
                let word = self.word(cell.token);
                let name = if small { word.to_string() } else { word.to_ascii_lowercase() };
                found.push((at, Content::Name(name), bytes));
            }
            if self.named { self.puzzle.given.extend(found) } else { self.puzzle.regions.extend(found) }
        } else {
            if self.puzzle.given.len() > total {
                return self.line_problem(
                    first,
                    "a second grid of values",
                    "expected one, and perhaps one of letters",
                );
            }
            let zero_is_empty = !self.named && zero_is_empty(cells, &|c| self.number(c.token));
            for (at, cell) in positions(cells) {
                let bytes = (cell.token.from, cell.token.to);
                match cell.token.piece {
                    Piece::Wall => self.puzzle.walls.push((at, bytes)),
                    Piece::Word => match self.number(cell.token) {
                        Some(0) if zero_is_empty => {}
                        Some(number) => self.puzzle.given.push((at, Content::Number(number), bytes)),
                        None => {
                            let letters = self.word(cell.token).bytes().all(|b| b.is_ascii_alphabetic());
                            let message = if letters {
                                "expected a number or a single letter"
                            } else {
                                "this number does not fit 64 bits"
                            };
                            self.problem(cell.token.from, cell.token.to, message, "");
                        }
                    },
                    _ => {}
                }
            }
        }
        (self.puzzle.rows, self.puzzle.columns) = (rows, columns);
    }
}

/// All cells with their row and column from 1.
fn positions(cells: &[Vec<Cell>]) -> impl Iterator<Item = (At, Cell)> + '_ {
    cells
        .iter()
        .enumerate()
        .flat_map(|(r, row)| row.iter().enumerate().map(move |(c, cell)| ((r + 1, c + 1), *cell)))
}

/// Whether 0 stands for an empty cell: nothing else does, and some row or column has several.
fn zero_is_empty(cells: &[Vec<Cell>], number: &dyn Fn(&Cell) -> Option<i64>) -> bool {
    if cells.iter().flatten().any(|c| c.token.piece == Piece::Empty) {
        return false;
    }
    let zero = |c: &Cell| c.token.piece == Piece::Word && number(c) == Some(0);
    let columns = cells.first().map_or(0, Vec::len);
    cells.iter().any(|row| row.iter().filter(|c| zero(c)).count() > 1)
        || (0..columns).any(|i| cells.iter().filter(|row| row.get(i).is_some_and(zero)).count() > 1)
}

/// A word as one token for each of its characters.
fn letters(token: Token) -> Vec<Token> {
    if token.piece != Piece::Word {
        return vec![token];
    }
    (0..token.to - token.from)
        .map(|i| Token {
            from: token.from + i,
            to: token.from + i + 1,
            column: token.column + i,
            end: token.column + i + 1,
            ..token
        })
        .collect()
}
