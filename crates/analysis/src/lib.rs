//! What editors and the command line know of program texts before they are run.
//!
//! [`text`] indexes one text: its statements, names with their places and roles, comments. [`project`] joins the texts that
//! are open in an editor with those that they include; [`buffers`] lets the parser read them. [`fix`] makes edits of
//! messages, [`repair`] applies them, [`place`] turns bytes into lines and UTF-16 columns. Messages themselves come from the stages (`Settings::review`),
//! so that an editor and `asp check` say the same.
//! Invariant: an index is a function of its text alone, and of broken statements it holds the tokens.

pub mod buffers;
pub mod fix;
pub mod kinds;
pub mod place;
pub mod project;
pub mod repair;
pub mod text;
