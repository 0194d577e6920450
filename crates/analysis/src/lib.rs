//! Static analysis of program texts, for editors and the command line.
//!
//! [`text`] indexes one text: its statements, names with their places and roles, comments. [`project`] joins the texts that are
//! open in an editor with those that they include; [`buffers`] lets the parser read them. [`fix`] makes edits of messages,
//! [`repair`] applies them, [`place`] turns bytes into lines and UTF-16 columns. Messages themselves come from the stages
//! (`Settings::review`), so that an editor and `asp check` agree. Invariant: an index is a function of its text alone; of broken
//! statements it has the tokens.

pub mod buffers;
pub mod fix;
pub mod kinds;
pub mod place;
pub mod project;
pub mod repair;
pub mod text;
