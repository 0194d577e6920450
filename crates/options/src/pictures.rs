//! Options of pictures: `--show-grid`, `--svg`, `--html`.

use asp_picture::Wanted;

/// The options as given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PictureOptions {
    /// Print pictures instead of atoms.
    pub text: bool,
    /// The predicate to draw.
    pub predicate: Option<Wanted>,
    /// The SVG file to write.
    pub svg: Option<String>,
    /// The page to write.
    pub html: Option<String>,
    /// The title of the page: the files of the run.
    pub title: String,
}

impl PictureOptions {
    /// Whether there is anything to draw.
    pub fn is_any(&self) -> bool {
        self.text || self.has_files()
    }

    /// Whether there are files to write.
    pub fn has_files(&self) -> bool {
        self.svg.is_some() || self.html.is_some()
    }
}
