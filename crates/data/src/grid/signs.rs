//! Signs between the cells of a puzzle, and numbers at its edge.
//!
//! Invariant: a sign lies between two cells, and a number belongs to a row or column; anything else is reported.

use super::*;

impl Reader<'_> {
    /// Signs inside rows of cells.
    pub(super) fn across(&mut self, rows: &[Row<'_>], cells: &[Vec<Cell>]) {
        let help = "a sign `<` or `>`, or a dot, goes between two cells of a row";
        for (r, row) in rows.iter().enumerate() {
            for pair in row.inner.windows(2) {
                if !pair[0].is_cell() && !pair[1].is_cell() {
                    self.problem(pair[1].from, pair[1].to, "two signs without a cell between them", help);
                }
            }
            for token in row.inner.iter().filter(|t| !t.is_cell()) {
                // The number of cells before it.
                let Some(cells) = cells.get(r) else { continue };
                let before = cells.iter().filter(|c| c.token.from < token.from).count();
                if !matches!(token.piece, Piece::Greater | Piece::Less | Piece::White | Piece::Black) {
                    self.problem(token.from, token.to, "this does not belong in a row of cells", help);
                    continue;
                }
                if before == 0 || before == cells.len() {
                    self.problem(token.from, token.to, "there is no cell on one side of this sign", help);
                    continue;
                }
                let (a, b) = ((r + 1, before), (r + 1, before + 1));
                self.sign((a, b), *token);
            }
        }
    }

    /// Lines of signs between rows of cells.
    pub(super) fn down(&mut self, lines: &[&Line], rows: &[Row<'_>], cells: &[Vec<Cell>]) {
        for line in lines.iter().filter(|l| l.kind == Kind::Down) {
            let above = rows.iter().filter(|r| r.line.from < line.from).count();
            if above == 0 || above == rows.len() {
                let help = "signs `^` and `v`, and dots, go in a line between two rows of cells";
                self.line_problem(line, "there is no row of cells on one side of these signs", help);
                continue;
            }
            self.down_line(line, above, &cells[above - 1]);
        }
    }

    /// One line of signs below row `above`: either one sign per cell, or signs below their cells.
    fn down_line(&mut self, line: &Line, above: usize, cells: &[Cell]) {
        let signs: Vec<Token> =
            line.tokens.iter().filter(|t| !matches!(t.piece, Piece::Bar | Piece::Rule)).copied().collect();
        let all = signs.len() == cells.len();
        for (i, sign) in signs.iter().enumerate() {
            if sign.piece == Piece::Empty {
                continue;
            }
            let under =
                |c: &Cell| (c.token.column..c.token.end.max(c.token.column + 1)).contains(&sign.column);
            let found = if all { Some(i) } else { cells.iter().position(under) };
            let Some(column) = found else {
                let columns: Vec<String> = cells.iter().map(|c| (c.token.column + 1).to_string()).collect();
                let message = "there is no cell above this sign";
                let help = format!("the cells above are in columns {}", columns.join(", "));
                self.problem(sign.from, sign.to, message, &help);
                continue;
            };
            let (upper, lower) = ((above, column + 1), (above + 1, column + 1));
            self.sign((upper, lower), *sign);
        }
    }

    /// A sign between two neighbours, the upper or left one first.
    fn sign(&mut self, (first, second): (At, At), sign: Token) {
        match sign.piece {
            Piece::White | Piece::Black => {
                let dot = (sign.piece == Piece::Black, (sign.from, sign.to));
                self.puzzle.dots.entry((first, second)).or_insert(dot);
            }
            Piece::Greater | Piece::Down => self.greater((first, second), sign),
            _ => self.greater((second, first), sign),
        }
    }

    /// A puzzle without cells: lines of signs within rows and lines of signs between rows. There are fewer signs if
    /// none are written between boxes.
    pub(super) fn signs_only(&mut self, lines: &[&Line]) {
        let signs = |l: &Line| l.tokens.iter().filter(|t| t.piece != Piece::Bar).copied().collect::<Vec<_>>();
        let Some(n) = lines.iter().find(|l| l.kind == Kind::Down).map(|l| signs(l).len()) else {
            let help = "expected lines of `^` and `v` between them";
            return self.line_problem(lines[0], "lines of signs `<` and `>` alone", help);
        };
        let Some(across) = lines.iter().find(|l| l.kind == Kind::Across).map(|l| signs(l).len()) else {
            let help = "expected lines of `<` and `>` between them";
            return self.line_problem(lines[0], "lines of signs `^` and `v` alone", help);
        };
        // Between n cells there are n-1 signs, or n - n/w with boxes of width w.
        let boxes = n.saturating_sub(across);
        let width = if boxes > 0 && n % boxes == 0 { n / boxes } else { 0 };
        if width < 2 {
            let message = format!("{across} signs do not fit between {n} cells");
            let help = "expected one between any two neighbours, or between those of a box";
            return self.line_problem(lines[0], message, help);
        }
        let mut row = 0;
        let mut was_across = false;
        for line in lines {
            let tokens = signs(line);
            let expected = if line.kind == Kind::Across { across } else { n };
            if tokens.len() != expected {
                let message = format!("expected {expected} signs, found {}", tokens.len());
                self.line_problem(line, message, "");
                continue;
            }
            if line.kind == Kind::Across {
                row += 1;
                for (i, sign) in tokens.iter().enumerate() {
                    let left = i / (width - 1) * width + i % (width - 1) + 1;
                    let (a, b) = ((row, left), (row, left + 1));
                    self.sign((a, b), *sign);
                }
            } else if !was_across {
                let help =
                    "expected a line of `<` and `>` for each row, and one of `^` and `v` between two rows";
                self.line_problem(line, "two lines of signs between the same rows", help);
            } else {
                for (i, sign) in tokens.iter().enumerate() {
                    let (upper, lower) = ((row, i + 1), (row + 1, i + 1));
                    self.sign((upper, lower), *sign);
                }
            }
            was_across = line.kind == Kind::Across;
        }
        if row != n && self.problems.is_empty() {
            let message = format!("expected {n} lines of `<` and `>`, one for each row, found {row}");
            self.line_problem(lines[0], message, "");
        }
        (self.puzzle.rows, self.puzzle.columns) = (n, n);
    }

    /// Numbers around the edge.
    pub(super) fn edge_clues(
        &mut self,
        rows: &[Row<'_>],
        above: &[&Line],
        below: &[&Line],
        cells: &[Vec<Cell>],
    ) {
        for (r, row) in rows.iter().enumerate() {
            for (side, tokens) in [(3, &row.west), (1, &row.east)] {
                let words = tokens.iter().filter(|t| t.piece == Piece::Word).copied().collect::<Vec<_>>();
                for (i, token) in words.into_iter().enumerate() {
                    self.clue(side, r + 1, i + 1, token);
                }
            }
        }
        for (side, lines, nearest) in [(0, above, cells.first()), (2, below, cells.last())] {
            let Some(nearest) = nearest else { continue };
            let mut counts = vec![0; nearest.len()];
            for line in lines {
                let tokens: Vec<Token> = line.tokens.iter().filter(|t| t.is_cell()).copied().collect();
                let all = tokens.len() == nearest.len();
                for (i, token) in tokens.into_iter().enumerate() {
                    if token.piece != Piece::Word {
                        continue;
                    }
                    // A number ends where its cell ends, or overlaps it.
                    let over = |c: &Cell| token.column < c.token.end && c.token.column < token.end;
                    let column = if all { Some(i) } else { nearest.iter().position(over) };
                    match column {
                        Some(column) => {
                            counts[column] += 1;
                            self.clue(side, column + 1, counts[column], token);
                        }
                        None => {
                            let help = "numbers above and below a grid go in the columns of its cells";
                            self.problem(
                                token.from,
                                token.to,
                                "this number is not in the column of a cell",
                                help,
                            );
                        }
                    }
                }
            }
        }
    }

    fn greater(&mut self, cells: (At, At), sign: Token) {
        self.puzzle.greater.entry(cells).or_insert((sign.from, sign.to));
    }

    fn clue(&mut self, side: usize, line: usize, number: usize, token: Token) {
        match self.number(token) {
            Some(value) => {
                self.puzzle.clues.entry((side, line, number, value)).or_insert((token.from, token.to));
            }
            None => self.problem(token.from, token.to, "expected a number", ""),
        }
    }
}
