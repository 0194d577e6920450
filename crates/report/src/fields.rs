//! Atoms and terms as records of tables: name and arguments.

use asp_base::symbol::{Sym, SymView, Symbols};
use asp_program::Program;
use asp_program::ground_program::ShowItem;

/// The name and the arguments of a shown symbol, strings without their quotes; a term that is not a function is one field.
pub(super) fn fields(item: ShowItem, program: &Program, symbols: &Symbols) -> Vec<String> {
    let text = |term: Sym| match symbols.view(term) {
        SymView::Str(s) => symbols.str(s).to_string(),
        _ => symbols.display(term),
    };
    let Some((signature, args)) = program.shown_atom(item, symbols) else {
        return vec![item.term().map(text).unwrap_or_default()];
    };
    let (sign, name) = (if signature.negative { "-" } else { "" }, symbols.str(signature.name));
    std::iter::once(format!("{sign}{name}")).chain(args.iter().map(|&a| text(a))).collect()
}

/// Appends a record without the end of its line, filled up with empty fields.
pub(super) fn push_record(fields: &[String], width: usize, out: &mut Vec<u8>) {
    let mut writer = ::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let empty = std::iter::repeat_n("", width.saturating_sub(fields.len()));
    // Writing to a vector cannot fail.
    let _ = writer.write_record(fields.iter().map(String::as_str).chain(empty));
    let mut record = writer.into_inner().unwrap_or_default();
    record.pop();
    out.extend_from_slice(&record);
}
