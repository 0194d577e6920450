//! The parser's driver: texts to statements, facts and diagnostics.
//!
//! Invariants: each statement is read once and costs time linear in its length; includes are kept on an explicit stack; a
//! text starts in the program part `base` unless it is included, and after an included text the part is `base`.

use super::ast::{Fact, Program, Statement, StatementKind};
use super::build::Builder;
use super::cut::Cut;
use super::error::{Context, End};
use super::fact::FactReader;
use super::foreign_idioms::ForeignIdioms;
use super::grammar::StatementParser;
use super::lexer::Lexer;
use super::line_ends::LineEnds;
use super::loader::Loader;
use super::mending::Mending;
use super::token::Token;
use super::written::{Piece, Watch};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::Set;
use asp_base::span::{Original, SourceFile, Sources, Span};
use asp_base::symbol::{StrId, Sym, Symbols};
use std::sync::Arc;

/// How many syntax errors are reported one by one.
pub const MAX_ERRORS: usize = 20;

/// A text to parse: a name for messages (and, for files, for finding what it includes) and its bytes.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name as users know it: a path, `<stdin>`, `<command line>`.
    pub name: String,
    /// The text; bytes that are not UTF-8 are allowed in comments and are errors elsewhere.
    pub text: Vec<u8>,
    /// The text that these facts were made from.
    pub original: Option<Arc<Original>>,
}

impl Input {
    /// An input from a name and a text or bytes.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), text: text.into(), original: None }
    }
}

/// The result of parsing: everything that could be read, and messages about the rest.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The statements and facts.
    pub program: Program,
    /// Errors and warnings in order of appearance.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses texts one after the other into one program.
pub fn parse(
    inputs: Vec<Input>,
    symbols: &mut Symbols,
    sources: &mut Sources,
    loader: &mut dyn Loader,
) -> Parsed {
    let base = symbols.intern("base");
    read(inputs, (base, &[]), symbols, sources, loader, None)
}

/// Parses texts one after the other into one program; each begins in a program part with some parameters.
pub fn parse_part(
    inputs: Vec<Input>,
    part: (StrId, &[StrId]),
    symbols: &mut Symbols,
    sources: &mut Sources,
    loader: &mut dyn Loader,
) -> Parsed {
    read(inputs, part, symbols, sources, loader, None)
}

/// Parses texts one after the other and hands each piece to `watch`. Returns errors and warnings.
pub fn parse_pieces<'a>(
    inputs: Vec<Input>,
    symbols: &'a mut Symbols,
    sources: &'a mut Sources,
    loader: &'a mut dyn Loader,
    watch: Watch<'a>,
) -> Vec<Diagnostic> {
    let base = symbols.intern("base");
    read(inputs, (base, &[]), symbols, sources, loader, Some(watch)).diagnostics
}

/// [`parse`]; with a watcher, all pieces go to it and none is kept.
fn read<'a>(
    inputs: Vec<Input>,
    (name, params): (StrId, &[StrId]),
    symbols: &'a mut Symbols,
    sources: &'a mut Sources,
    loader: &'a mut dyn Loader,
    watch: Option<Watch<'a>>,
) -> Parsed {
    let base = symbols.intern("base");
    let reader = Reader {
        symbols,
        part: base,
        base,
        has_params: false,
        facts: FactReader::default(),
        program: Program::default(),
        diagnostics: Vec::new(),
        errors: 0,
        tokens: Vec::new(),
        parser: StatementParser::new(),
        watch,
        line_ends: LineEnds::default(),
        stopped: false,
    };
    let mut driver = Driver { sources, loader, seen: Set::default(), reader };
    for input in inputs {
        if !driver.reader.stopped {
            driver.input(input, (name, params));
        }
    }
    driver.reader.finish()
}

/// A text that is being read.
struct Open {
    /// Its index in the sources.
    file: usize,
    /// The byte to continue at.
    at: usize,
    /// Positions of bytes that were replaced because they are not UTF-8.
    bad: Vec<usize>,
}

/// Why reading a text pauses.
enum Pause {
    End,
    Include { path: String, span: Span, at: usize },
}

/// Opens texts and follows includes.
struct Driver<'a> {
    sources: &'a mut Sources,
    loader: &'a mut dyn Loader,
    /// Identities of the texts read so far.
    seen: Set<String>,
    reader: Reader<'a>,
}

/// Reads the statements of one text after the other.
struct Reader<'a> {
    symbols: &'a mut Symbols,
    part: StrId,
    base: StrId,
    has_params: bool,
    facts: FactReader,
    program: Program,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    tokens: Vec<(u32, Token, u32)>,
    parser: StatementParser,
    watch: Option<Watch<'a>>,
    line_ends: LineEnds,
    /// Whether the watcher has seen enough.
    stopped: bool,
}

impl Driver<'_> {
    fn input(&mut self, input: Input, (name, params): (StrId, &[StrId])) {
        if let Some(identity) = self.identity(&input)
            && !self.seen.insert(identity)
        {
            let message = format!("{} is given a second time; it is read only once", input.name);
            self.reader.diagnostics.push(Diagnostic::warning(WarningKind::FileIncluded, Span::NONE, message));
            return;
        }
        self.reader.reset_part();
        if name != self.reader.base || !params.is_empty() {
            self.reader.begin_part(name, params);
        }
        let mut stack: Vec<Open> = self.open(input, Span::NONE).into_iter().collect();
        self.begin(&stack);
        while let Some(top) = stack.last_mut().filter(|_| !self.reader.stopped) {
            let file = &self.sources.files()[top.file];
            match self.reader.read(file, top) {
                Pause::End => {
                    stack.pop();
                    self.reader.reset_part();
                    self.begin(&stack);
                }
                Pause::Include { path, span, at } => {
                    let from = self.sources.files()[top.file].name.clone();
                    top.at = at;
                    stack.extend(self.include(&path, &from, span));
                }
            }
        }
    }

    /// Identifies a text that is given twice: two tables of facts may be made from one file.
    fn identity(&mut self, input: &Input) -> Option<String> {
        if input.original.is_some() { None } else { self.loader.identity(&input.name) }
    }

    /// Tells the watcher that the last text begins, or goes on.
    fn begin(&mut self, stack: &[Open]) {
        if let Some(top) = stack.last() {
            self.reader.tell(Piece::Begin { file: &self.sources.files()[top.file] });
        }
    }

    fn open(&mut self, input: Input, include: Span) -> Option<Open> {
        let Input { name, text, original } = input;
        let (text, bad) = match String::from_utf8(text) {
            Ok(text) => (text, Vec::new()),
            Err(e) => replace_invalid(e.as_bytes()),
        };
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let added = match &original {
            Some(original) => self.sources.add_made(text, original),
            None => self.sources.add(name, text),
        };
        if added.is_err() {
            self.reader.error(Diagnostic::error(include, "all texts together are larger than 4 GiB"));
            return None;
        }
        Some(Open { file: self.sources.files().len() - 1, at, bad })
    }

    fn include(&mut self, path: &str, from: &str, span: Span) -> Option<Open> {
        let Some(name) = self.loader.resolve(path, from) else {
            let folder =
                std::path::Path::new(from).parent().map(|p| p.display().to_string()).unwrap_or_default();
            let mut d = Diagnostic::error(span, format!("file `{path}` not found"));
            d = match folder.as_str() {
                "" => d.help("it was looked for in the working folder"),
                _ => d.help(format!("it was looked for in `{folder}` and in the working folder")),
            };
            self.reader.error(d);
            self.reader.program.unread.texts = true;
            return None;
        };
        if let Some(identity) = self.loader.identity(&name)
            && !self.seen.insert(identity)
        {
            let message = format!("file `{path}` is already included");
            self.reader.diagnostics.push(Diagnostic::warning(WarningKind::FileIncluded, span, message));
            return None;
        }
        match self.loader.read(&name) {
            Ok(text) => self.open(Input::new(name, text), span),
            Err(reason) => {
                self.reader.error(Diagnostic::error(span, format!("file `{path}` cannot be read: {reason}")));
                self.reader.program.unread.texts = true;
                None
            }
        }
    }
}

impl Reader<'_> {
    /// Enters a program part.
    fn begin_part(&mut self, name: StrId, params: &[StrId]) {
        (self.part, self.has_params) = (name, !params.is_empty());
        let params = params.iter().map(|&param| (param, Span::NONE)).collect();
        self.program
            .statements
            .push(Statement { kind: StatementKind::Part { name, params }, span: Span::NONE });
    }

    /// Returns to the program part `base`.
    fn reset_part(&mut self) {
        if self.part != self.base || self.has_params {
            self.part = self.base;
            self.has_params = false;
            let kind = StatementKind::Part { name: self.base, params: Vec::new() };
            self.program.statements.push(Statement { kind, span: Span::NONE });
        }
    }

    fn error(&mut self, d: Diagnostic) {
        self.errors += 1;
        if self.errors <= MAX_ERRORS {
            self.diagnostics.push(d);
        }
    }

    /// Reports a statement that cannot be read, with what was probably meant.
    fn explain(&mut self, error: Diagnostic, idioms: &ForeignIdioms<'_>, end: End) {
        if self.errors >= MAX_ERRORS {
            return self.error(error);
        }
        let &ForeignIdioms { text, start, tokens } = idioms;
        let (parser, symbols) = (&self.parser, &mut *self.symbols);
        let mut reads = |tokens: &[(u32, Token, u32)]| {
            let (statements, has_values) = (&mut Vec::new(), &mut false);
            let mut builder = Builder { symbols, text, start, statements, has_values };
            parser.parse(&mut builder, tokens.iter().copied()).is_ok()
        };
        let mut mending = Mending { text, start, tokens, end, reads: &mut reads };
        let told = match mending.certain(&error) {
            Some(told) => told,
            None => idioms.explain(error).unwrap_or_else(|error| mending.likely(error)),
        };
        self.error(told);
    }

    fn tell(&mut self, piece: Piece<'_>) {
        if let Some(watch) = &mut self.watch {
            self.stopped |= !watch(piece, self.symbols);
        }
    }

    /// Reads statements until the text ends or includes another one.
    fn read(&mut self, file: &SourceFile, open: &Open) -> Pause {
        let (text, start) = (file.text.as_str(), file.start);
        let mut lexer = Lexer::new(text, open.at);
        let mut tokens = std::mem::take(&mut self.tokens);
        let pause = loop {
            let (from, before) = (lexer.position(), self.program.statements.len());
            let mut include = None;
            let mut cut = Cut { text, start, bad: &open.bad, tokens: &mut tokens, error: None };
            let end = cut.statement(&mut lexer);
            let failed = cut.error;
            if let Some(d) = failed {
                self.error(d);
                self.note_unread(&tokens, text, start);
            } else if tokens.is_empty() {
                self.watched(file, from, text.len(), &[], before);
                break Pause::End;
            } else if let Some(atom) = self.fact(&tokens, text, start) {
                let span = Span::new(tokens[0].0, tokens[tokens.len() - 1].2);
                self.program.facts.push(Fact { atom, span, part: self.part });
            } else {
                let mut builder = Builder {
                    symbols: self.symbols,
                    text,
                    start,
                    statements: &mut self.program.statements,
                    has_values: &mut self.program.has_values,
                };
                let idioms = ForeignIdioms { text, start, tokens: &tokens };
                if let Err(error) = self.parser.parse(&mut builder, tokens.iter().copied()) {
                    let context = Context { text, start, tokens: &tokens, end };
                    let error = context.explain(error);
                    self.explain(error, &idioms, end);
                    self.note_unread(&tokens, text, start);
                } else {
                    idioms.notes(&mut self.diagnostics);
                    self.line_ends.look(text, start, &tokens, &mut self.diagnostics);
                }
                if self.program.statements.len() == before + 1 {
                    include = self.special();
                }
            }
            self.watched(file, from, lexer.position(), &tokens, before);
            if self.stopped {
                break Pause::End;
            }
            if let Some((path, span)) = include {
                break Pause::Include { path, span, at: lexer.position() };
            }
            if tokens.is_empty() && end == End::File {
                break Pause::End;
            }
        };
        if matches!(pause, Pause::End) {
            self.line_ends.finish(&mut self.diagnostics);
        }
        self.tokens = tokens;
        pause
    }

    /// Notes the names in a statement that cannot be read, also where they begin with a capital letter: `Male(ann).`
    fn note_unread(&mut self, tokens: &[(u32, Token, u32)], text: &str, start: u32) {
        for (i, &(lo, token, hi)) in tokens.iter().enumerate() {
            let name = &text[(lo - start) as usize..(hi - start) as usize];
            let lower = name.to_ascii_lowercase();
            let name = match token {
                Token::Identifier => name,
                Token::Variable if tokens.get(i + 1).is_some_and(|t| t.1 == Token::OpenParen) => &lower,
                _ => continue,
            };
            self.program.unread.names.insert(self.symbols.intern(name));
        }
    }

    /// Hands the watcher, if there is one, what was read last.
    fn watched(
        &mut self,
        file: &SourceFile,
        from: usize,
        to: usize,
        tokens: &[(u32, Token, u32)],
        before: usize,
    ) {
        if self.watch.is_some() {
            let statements = self.program.statements.split_off(before);
            self.tell(Piece::Statement { file, range: from..to, tokens, statements });
        }
    }

    fn fact(&mut self, tokens: &[(u32, Token, u32)], text: &str, start: u32) -> Option<Sym> {
        if self.has_params || self.watch.is_some() {
            None
        } else {
            self.facts.read(tokens, text, start, self.symbols)
        }
    }

    /// Handles the last statement if it affects how reading goes on; takes it out if it is an include.
    fn special(&mut self) -> Option<(String, Span)> {
        let statement = self.program.statements.last()?;
        match &statement.kind {
            StatementKind::Part { name, params } => {
                self.part = *name;
                self.has_params = !params.is_empty();
                None
            }
            StatementKind::IncludeBuiltin { name } if self.symbols.str(*name) != "incmode" => {
                let (name, span) = (self.symbols.str(*name).to_string(), statement.span);
                self.program.statements.pop();
                self.error(Diagnostic::error(span, format!("there is no built-in file <{name}>")).help(
                    "only `#include <incmode>.` is built in; files are included by `#include \"file\".`",
                ));
                None
            }
            StatementKind::Include { path } => {
                let found = (path.clone(), statement.span);
                self.program.statements.pop();
                Some(found)
            }
            _ => None,
        }
    }

    fn finish(mut self) -> Parsed {
        if self.errors > MAX_ERRORS {
            let more = self.errors - MAX_ERRORS;
            let s = if more == 1 { "" } else { "s" };
            self.diagnostics.push(Diagnostic::error(Span::NONE, format!("{more} more syntax error{s}")));
        }
        self.program.fact_constants = self.facts.into_constants();
        Parsed { program: self.program, diagnostics: self.diagnostics }
    }
}

/// Replaces bytes that are not UTF-8; also returns where.
fn replace_invalid(bytes: &[u8]) -> (String, Vec<usize>) {
    let mut text = String::with_capacity(bytes.len());
    let mut bad = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            bad.push(text.len());
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    (text, bad)
}

#[cfg(test)]
mod tests {
    use super::super::loader::NoFiles;
    use super::super::written::comments;
    use super::*;

    #[test]
    fn pieces_and_comments() {
        let text = "%a\np(1). q :- %* b\n *% p(X), %c\n X = 1.\n#minimize { 1; 2 }. r s. #program t. u. %d";
        let (mut symbols, mut sources, mut out) = (Symbols::new(), Sources::new(), String::new());
        let inputs = vec![Input::new("t", text)];
        let diagnostics = parse_pieces(inputs, &mut symbols, &mut sources, &mut NoFiles, &mut |piece, _| {
            match piece {
                Piece::Begin { file } => out.push_str(&format!("begin {}\n", file.name)),
                Piece::Statement { file, range, tokens, statements } => {
                    let mut from = range.start;
                    for &(lo, _, hi) in tokens {
                        let gap = from..(lo - file.start) as usize;
                        comments(&file.text, gap)
                            .for_each(|c| out.push_str(&format!("{:?} ", &file.text[c])));
                        from = (hi - file.start) as usize;
                    }
                    comments(&file.text, from..range.end)
                        .for_each(|c| out.push_str(&format!("{:?} ", &file.text[c])));
                    out.push_str(&format!("{} tokens, {} statements\n", tokens.len(), statements.len()));
                }
            }
            true
        });
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(
            out,
            "begin t\n\"%a\" 5 tokens, 1 statements\n\"%* b\\n *%\" \"%c\" 11 tokens, 1 statements\n\
             7 tokens, 2 statements\n3 tokens, 0 statements\n3 tokens, 1 statements\n2 tokens, 1 statements\n\
             \"%d\" 0 tokens, 0 statements\n"
        );
    }

    #[test]
    fn the_watcher_stops_it() {
        let mut count = 0;
        let inputs = vec![Input::new("t", "a. b. c."), Input::new("u", "d.")];
        parse_pieces(inputs, &mut Symbols::new(), &mut Sources::new(), &mut NoFiles, &mut |_, _| {
            count += 1;
            count < 2
        });
        assert_eq!(count, 2);
    }
}
