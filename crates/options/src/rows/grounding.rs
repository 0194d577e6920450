//! Rows of the options of the grounder.

use super::{Read, if_it, push, set};
use crate::raw::{Action, Instantiation, Raw};
use crate::spec::Group::Grounding;
use crate::spec::Takes::{Flag, Required};
use crate::spec::{Effect, OptionSpec, Scope, noted, works};
use crate::usage::UsageError;
use crate::value::Value;
use asp_base::nearest::nearest;
use asp_rewrite::improve::Rewriting;

pub(crate) const ROWS: &[OptionSpec] = &[
    works(Grounding, 1, "const", Required("S"), "NAME=TERM", "Replace the constant NAME by TERM", constant)
        .short('c')
        .many(),
    works(
        Grounding,
        1,
        "warn",
        Required("S"),
        "WARNING",
        "Switch a warning: none, all, [no-]NAME, error, help",
        warn,
    )
    .short('W')
    .many(),
    works(
        Grounding,
        2,
        "ground-limit",
        Required("N0-18446744073709551615"),
        "N",
        "Stop with exit code 33 past this many ground instances",
        |v, r| set(&mut r.options.ground_limit, v.number(0).filter(|&n| n > 0)),
    ),
    works(
        Grounding,
        2,
        "ground",
        Required("eager|lazy|auto,N0-18446744073709551615?"),
        "WHEN",
        "Instantiate constraints while grounding (eager) or in the search (lazy; auto: large ones), from N instances on [auto]",
        |v, r| {
            let all = [Instantiation::Eager, Instantiation::Lazy, Instantiation::Auto];
            r.options.lazy_from = v.number(1);
            set(&mut r.options.instantiation, v.pick(0, &all)?)
        },
    )
    .scope(Scope::Run),
    works(
        Grounding,
        2,
        "rewrite",
        Required("S"),
        "REWRITING",
        "Switch a rewriting that keeps the answer sets: none, all, [no-]NAME, help",
        rewrite,
    )
    .many(),
    works(
        Grounding,
        2,
        "explain-rewrites",
        Flag,
        "",
        "Print what is rewritten, with instances before and after, to standard error",
        |_, r| set(&mut r.options.explain_rewrites, true),
    )
    .scope(Scope::Run),
    works(
        Grounding,
        2,
        "profile",
        Flag,
        "",
        "Print time, instances and join order of each statement to standard error",
        |_, r| set(&mut r.options.profile, true),
    )
    .scope(Scope::Run),
    works(
        Grounding,
        2,
        "show-preds",
        Required("S"),
        "SIGNATURES",
        "Show the given signatures: name/arity,...",
        |v, r| {
            let signatures = v.text().split(',').map(signature).collect::<Option<_>>();
            set(&mut r.options.show_preds, signatures.ok_or_else(|| v.is_wrong())?)
        },
    ),
    noted(
        Grounding,
        2,
        "preserve-facts",
        Required("none|body|symtab|all"),
        "WHICH",
        "Which facts the ground output keeps",
    )
    .read(|v, _| if_it(v.item(0) == Some(0))),
    noted(Grounding, 2, "rewrite-minimize", Flag, "", "Rewrite minimize statements into rules"),
    noted(Grounding, 3, "keep-facts", Flag, "", "Keep facts in rule bodies"),
    noted(Grounding, 3, "single-shot", Flag, "", "Promise that there is one solve call only"),
];

/// A definition without a name or value is refused here; what else is wrong with the term is told by the parser.
fn constant(v: &Value<'_>, r: &mut Raw) -> Read {
    let (name, term) = v.text().split_once('=').unwrap_or((v.text(), ""));
    let mut letters = name.trim().trim_start_matches('_').chars();
    let is_name = letters.next().is_some_and(|c| c.is_ascii_lowercase())
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\''));
    let is_decimal = term.trim().parse::<f64>().is_ok() && term.contains('.');
    if !is_name || term.trim().is_empty() || is_decimal {
        let wanted = match (is_name, is_decimal) {
            (true, true) => "numbers are integers",
            (true, false) => "expected NAME=TERM, as in 'n=8'",
            (false, _) => "a constant has a name in small letters, as in 'n=8'",
        };
        let message = format!("'{}' invalid value for: 'const'; {wanted}", v.text());
        return Err(UsageError::option(message));
    }
    push(&mut r.options.consts, v)
}

fn warn(v: &Value<'_>, r: &mut Raw) -> Read {
    let value = v.text().to_ascii_lowercase();
    if value == "help" {
        r.ask(Action::ListWarnings);
    } else {
        r.options.warnings.obey(&value)?;
    }
    Ok(Effect::Full)
}

fn rewrite(v: &Value<'_>, r: &mut Raw) -> Read {
    let value = v.text().to_ascii_lowercase();
    if value == "help" {
        r.ask(Action::ListRewritings);
        return Ok(Effect::Full);
    }
    let unknown = |word: String| {
        let names = Rewriting::ALL.iter().map(|r| r.name()).chain(["all", "none", "help"]);
        let near = nearest(word.strip_prefix("no-").unwrap_or(&word), names);
        UsageError::bad_value("rewrite", &word, near)
    };
    r.options.rewritings.obey(&value).map_err(unknown)?;
    Ok(Effect::Full)
}

fn signature(text: &str) -> Option<(String, u32)> {
    let (name, arity) = text.split_once('/')?;
    let plain = name.strip_prefix('-').unwrap_or(name);
    let rest = plain.trim_start_matches(['_', '\'']);
    let ok = rest.starts_with(|c: char| c.is_ascii_lowercase())
        && plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'');
    ok.then_some(())?;
    Some((name.to_string(), arity.parse().ok()?))
}
