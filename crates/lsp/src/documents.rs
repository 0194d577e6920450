//! The texts open in the editor.
//!
//! Invariant: a text is the result of the editor's changes in order; a change at places outside the text is one at its end.

use std::collections::BTreeMap;
use std::sync::Arc;

use lsp_types::{Location, TextDocumentContentChangeEvent, Uri};

use super::convert;
use asp_analysis::buffers;
use asp_analysis::place::Lines;
use asp_analysis::project::{Entry, Project};
use asp_analysis::text::TextIndex;
use asp_run::library::LibraryLoader;

pub(super) struct Document {
    /// The editor's URI.
    pub(super) uri: Uri,
    pub(super) version: i32,
}

pub(super) struct Documents {
    by_key: BTreeMap<String, Document>,
    /// The open texts and their includes.
    pub(super) project: Project<LibraryLoader>,
}

/// An open text that a request is about.
pub(super) struct View {
    pub(super) key: String,
    pub(super) index: Arc<TextIndex>,
    /// It and all texts that hang together with it.
    pub(super) group: Vec<Entry>,
}

impl Documents {
    pub(super) fn new() -> Self {
        Self { by_key: BTreeMap::new(), project: Project::new(LibraryLoader) }
    }

    /// The key of a text.
    pub(super) fn key(uri: &Uri) -> String {
        buffers::key(&convert::name_of(uri))
    }

    pub(super) fn open(&mut self, uri: Uri, version: i32, text: String) {
        let key = Self::key(&uri);
        self.project.set(key.clone(), text.into());
        self.by_key.insert(key, Document { uri, version });
    }

    /// Makes changes; whether the text is open.
    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> bool {
        let key = Self::key(uri);
        let (Some(document), Some(old)) = (self.by_key.get_mut(&key), self.project.text(&key)) else {
            return false;
        };
        document.version = version;
        let mut text = old.to_string();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let range = convert::bytes(&Lines::new(&text), range);
                    text.replace_range(range, &change.text);
                }
            }
        }
        self.project.set(key, text.into());
        true
    }

    /// Closes a text and returns its key.
    pub(super) fn close(&mut self, uri: &Uri) -> String {
        let key = Self::key(uri);
        self.by_key.remove(&key);
        self.project.close(&key);
        key
    }

    pub(super) fn get(&self, key: &str) -> Option<&Document> {
        self.by_key.get(key)
    }

    /// The open text that a request is about; none if it is not open, or too large to be indexed.
    pub(super) fn view(&self, uri: &Uri) -> Option<View> {
        let key = Self::key(uri);
        self.by_key.get(&key)?;
        let index = self.project.index(&key)?;
        let group = self.project.group(&key);
        Some(View { key, index, group })
    }

    /// The editor's URI of a text; none if it cannot show it.
    pub(super) fn uri(&self, key: &str) -> Option<Uri> {
        match self.by_key.get(key) {
            Some(document) => Some(document.uri.clone()),
            None => convert::uri_of(key),
        }
    }

    /// A place in a text.
    pub(super) fn location(
        &self,
        key: &str,
        lines: &Lines,
        range: &std::ops::Range<usize>,
    ) -> Option<Location> {
        Some(Location { uri: self.uri(key)?, range: convert::range(lines, range) })
    }
}
