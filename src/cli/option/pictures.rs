//! Options of pictures: `--show-grid`, `--svg`, `--html`.

use std::path::Path;

use crate::cli::args::Args;
use crate::picture::Wanted;
use crate::report::{Format, Style};

/// What is asked for.
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
    /// What the page is about: the files of the run.
    pub title: String,
}

impl PictureOptions {
    /// Reads the options.
    pub fn check(args: &Args<'_>, style: &Style) -> Result<Self, String> {
        let mut options = Self::default();
        if let Some(given) = args.get("show-grid") {
            if matches!(style.format, Format::Json | Format::JsonLines | Format::Competition) {
                return Err("In context '<asp>': '--show-grid' goes with text output only".into());
            }
            options.text = true;
            if let Some(name) = given.value {
                let bad = || format!("In context '<asp>': '{name}' invalid value for: 'show-grid'");
                options.predicate = Some(Wanted::parse(name).ok_or_else(bad)?);
            }
        }
        for (long, file) in [("svg", &mut options.svg), ("html", &mut options.html)] {
            let Some(name) = args.get(long).and_then(|g| g.value) else { continue };
            let folder = Path::new(name).parent().filter(|f| !f.as_os_str().is_empty());
            if let Some(missing) = folder.filter(|f| !f.is_dir()) {
                let missing = missing.display();
                return Err(format!(
                    "In context '<asp>': '{name}' invalid value for: '{long}'; no folder {missing}"
                ));
            }
            *file = Some(name.to_string());
        }
        options.title = if args.files.is_empty() { "stdin".into() } else { args.files.join(" ") };
        Ok(options)
    }

    /// Whether there is anything to draw.
    pub fn is_any(&self) -> bool {
        self.text || self.has_files()
    }

    /// Whether there are files to write.
    pub fn has_files(&self) -> bool {
        self.svg.is_some() || self.html.is_some()
    }
}
