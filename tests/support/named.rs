//! Whether what `why`, `why-not` and `why-unsat` name forces what they claim: in a random program everything that is not named is given
//! up, and the opposite of the claim is required; then there must be no answer set. Where it is claimed that nothing that is named can be
//! left out, there must be one if any one of it is given up, too.
//!
//! Who says that there is none is chosen by the caller: the definition, or another system.

use super::statements::{ATOMS, Statement, program, text};
use asp::{Control, Source};
use asp_base::rng::Rng;
use asp_questions::{Question, Reply, Subject, Verdict, ask};
use serde_json::Value;
use std::collections::BTreeSet;

/// The atoms of each answer set; `None` if they are not known.
pub type Judge<'a> = dyn FnMut(&str) -> Option<Vec<BTreeSet<String>>> + 'a;

/// Numbers of questions.
#[derive(Clone, Copy, Default, Debug)]
pub struct Asked {
    /// Those asked.
    pub all: u64,
    /// Those whose answer is a claim about all answer sets.
    pub forced: u64,
    /// Those whose answer says that nothing that is named can be left out.
    pub minimal: u64,
    /// Those about contradictions.
    pub contradictions: u64,
}

/// The reply of the library.
pub fn reply(program: &str, question: &Question) -> Reply {
    let texts = [Source::new("t.lp", program)];
    let subject = Subject { texts: &texts, empty: &Control::new, ground: &Control::ground, optimal: false };
    ask(&subject, question).unwrap_or_else(|failure| panic!("{question:?}: {}\n{program}", failure.0))
}

/// The lines, from 0, of the places in a reply.
fn lines(value: &Value, found: &mut BTreeSet<usize>) {
    match value {
        Value::Object(fields) => {
            if let (Some(line), Some("t.lp")) =
                (fields.get("line"), fields.get("file").and_then(Value::as_str))
            {
                found.insert(line.as_u64().map_or(0, |line| line as usize - 1));
            }
            fields.values().for_each(|field| lines(field, found));
        }
        Value::Array(values) => values.iter().for_each(|value| lines(value, found)),
        _ => {}
    }
}

/// The program of which only some statements are in force.
fn with_only(statements: &[Statement], named: &BTreeSet<usize>) -> String {
    let told =
        |(i, s): (usize, &Statement)| format!("{}\n", if named.contains(&i) { &s.text } else { &s.off });
    statements.iter().enumerate().map(told).collect()
}

/// What is wrong with the replies to all questions about a program.
fn wrong(statements: &[Statement], judge: &mut Judge<'_>, asked: &mut Asked) -> Option<String> {
    let all = text(statements);
    let sets = judge(&all)?;
    let mut questions: Vec<Question> = vec![Question::WhyUnsat];
    for atom in ATOMS.into_iter().chain(["x", "n(1)"]) {
        questions.extend([Question::Why(atom.into()), Question::WhyNot(atom.into())]);
    }
    for question in questions {
        let reply = reply(&all, &question);
        let told = |why: String| Some(format!("{question:?}: {why}\n{}\n{:#}", reply.text, reply.json));
        asked.all += 1;
        let (verdict, opposite) = match &question {
            Question::Why(atom) | Question::WhyNot(atom) => {
                let number = sets.iter().filter(|set| set.contains(atom)).count();
                match number {
                    _ if sets.is_empty() => (Verdict::NoAnswerSet, None),
                    0 => (Verdict::Never, Some(format!(":- not {atom}."))),
                    n if n == sets.len() => (Verdict::Always, Some(format!(":- {atom}."))),
                    _ => (Verdict::Sometimes, None),
                }
            }
            _ if sets.is_empty() => (Verdict::Unsatisfiable, Some(String::new())),
            _ => (Verdict::Satisfiable, None),
        };
        // An atom without a rule is no claim.
        if reply.verdict == Verdict::Unknown && verdict == Verdict::Never {
            continue;
        }
        if reply.verdict != verdict {
            return told(format!("{verdict} is right"));
        }
        let Some(opposite) = opposite else { continue };
        let mut named = BTreeSet::new();
        lines(&reply.json, &mut named);
        let rest = format!("{}{opposite}", with_only(statements, &named));
        if let Some(set) = judge(&rest).as_ref().and_then(|sets| sets.first()) {
            return told(format!("what is named is not enough:\n{rest}\nhas {set:?}"));
        }
        // Where each line is one rule or fact, those that are counted are needed each, if that is claimed.
        let parts =
            [&reply.json["rules"], &reply.json["facts"]].iter().filter_map(|n| n.as_u64()).sum::<u64>();
        if reply.json["minimal"] == true
            && parts > 1
            && !["p(X)", "p(1;2)", "p(1..2)"].iter().any(|many| all.contains(many))
        {
            let is_needed = |i: &&usize| {
                let others: BTreeSet<usize> = named.iter().copied().filter(|other| other != *i).collect();
                let rest = format!("{}{opposite}", with_only(statements, &others));
                judge(&rest).is_some_and(|sets| !sets.is_empty())
            };
            if (named.iter().filter(is_needed).count() as u64) < parts {
                return told("not all of it is needed".into());
            }
            asked.minimal += 1;
        }
        asked.forced += 1;
        asked.contradictions += u64::from(question == Question::WhyUnsat);
    }
    None
}

/// Asks all questions about random programs until so many have been asked; panics after some wrong replies, whose programs have been made
/// smaller.
pub fn hunt(first: u64, count: u64, failures: u64, judge: &mut Judge<'_>) -> Asked {
    let (mut asked, mut seed, mut failed) = (Asked::default(), first, 0);
    while asked.all < count && failed < failures {
        let mut rng = Rng::new(seed);
        let mut statements = program(&mut |below| rng.below(below));
        if let Some(mut why) = wrong(&statements, judge, &mut asked) {
            let mut at = 0;
            while at < statements.len() {
                let mut fewer = statements.clone();
                fewer.remove(at);
                match wrong(&fewer, judge, &mut Asked::default()) {
                    Some(still) => (statements, why) = (fewer, still),
                    None => at += 1,
                }
            }
            eprintln!("== ASP_RANDOM_SEED={seed}\n{}-- {why}\n", text(&statements));
            failed += 1;
        }
        seed += 1;
    }
    assert_eq!(failed, 0, "wrong replies, see above");
    eprintln!("{asked:?} from ASP_RANDOM_SEED={first}");
    asked
}
