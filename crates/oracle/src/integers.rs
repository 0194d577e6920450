//! The constraints over integers of a candidate, by the definition.
//!
//! Each variable has one of its values; an atom in a body holds if and only if its constraint does, one in a head only if it does.
//! Terms are evaluated as they stand: nothing is multiplied out, moved or narrowed. Invariant: nothing but the literals of values
//! is taken from how constraints are encoded.

use super::evaluate::Truth;
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};
use asp_program::ground_program::{Program, TheoryAtom, TheoryTerm, TheoryTermId};
use asp_program::integers::name_of;
use asp_program::{AtomId, Literal};

/// An atom whose constraint is violated, or that a variable without a single value leaves open.
pub(crate) fn violated(program: &Program, symbols: &Symbols, world: &[Truth]) -> Option<AtomId> {
    let holds = |l: Literal| world[l.atom().0 as usize] == Some(!l.is_neg());
    let mut values: Map<Sym, i128> = Map::default();
    for known in &program.integers.variables {
        if let Some(digits) = &known.digits {
            values.insert(known.name, digits.value(holds).into());
            continue;
        }
        let column = known.column.as_ref()?;
        let mut of = column.0.iter().filter(|(_, literal)| literal.is_none_or(holds));
        match (of.next(), of.next()) {
            (Some(&(value, _)), None) => _ = values.insert(known.name, value.into()),
            _ => return column.0.iter().find_map(|e| e.1).map(|l| l.atom()),
        }
    }
    let mut evaluated = Vec::new();
    for i in 0..program.theory.terms.len() {
        let value = value(program, symbols, &values, &evaluated, TheoryTermId(i as u32));
        evaluated.push(value);
    }
    program.theory.atoms.iter().find_map(|atom| {
        let id = atom.atom?;
        let (strict, satisfied) = satisfied(program, symbols, &evaluated, atom)?;
        let violated =
            if strict { holds(Literal::pos(id)) != satisfied } else { holds(Literal::pos(id)) && !satisfied };
        violated.then_some(id)
    })
}

/// The value of a term, given those of the terms before it.
fn value(
    program: &Program,
    symbols: &Symbols,
    values: &Map<Sym, i128>,
    before: &[Option<i128>],
    term: TheoryTermId,
) -> Option<i128> {
    if let Some((operator, args)) = operator(program, symbols, term) {
        let args: Vec<i128> = args.iter().map(|a| before[a.0 as usize]).collect::<Option<_>>()?;
        return match (operator, &args[..]) {
            ("+", &[a, b]) => a.checked_add(b),
            ("-", &[a, b]) => a.checked_sub(b),
            ("-", &[a]) => Some(-a),
            ("*", &[a, b]) => a.checked_mul(b),
            ("/", &[a, b]) => a.checked_div(b),
            ("\\", &[a, b]) => a.checked_rem(b),
            ("**", &[a, b]) if b >= 0 => a.checked_pow(b.try_into().ok()?),
            ("**", &[a, b]) if a.abs() == 1 => Some(if b % 2 == 0 { 1 } else { a }),
            ("**", &[a, _]) => (a != 0).then_some(0),
            _ => None,
        };
    }
    let symbol = program.integers.symbol(term.0 as usize)?;
    symbols.as_num(symbol).map(i128::from).or_else(|| values.get(&symbol).copied())
}

fn operator<'a>(
    program: &'a Program,
    symbols: &'a Symbols,
    term: TheoryTermId,
) -> Option<(&'a str, &'a [TheoryTermId])> {
    let TheoryTerm::Function(name, args) = &program.theory.terms[term.0 as usize] else { return None };
    let TheoryTerm::Symbol(name) = program.theory.terms[name.0 as usize] else { return None };
    let name = symbols.str(name);
    ["+", "-", "*", "/", "\\", "**", "..", "@"].contains(&name).then_some((name, args))
}

/// Whether an atom is of a body, and whether its constraint is satisfied.
fn satisfied(
    program: &Program,
    symbols: &Symbols,
    evaluated: &[Option<i128>],
    atom: &TheoryAtom,
) -> Option<(bool, bool)> {
    let name = name_of(program, symbols, atom)?;
    let of = |t: TheoryTermId| evaluated[t.0 as usize];
    let first: Vec<TheoryTermId> = atom
        .elements
        .iter()
        .map(|e| program.theory.elements[e.0 as usize].terms.first().copied())
        .collect::<Option<_>>()?;
    let args: &[TheoryTermId] = match &program.theory.terms[atom.term.0 as usize] {
        TheoryTerm::Function(_, args) => args,
        _ => &[],
    };
    let compared = |left: i128| {
        let (operator, right) = atom.guard?;
        let TheoryTerm::Symbol(operator) = program.theory.terms[operator.0 as usize] else { return None };
        let right = of(right)?;
        Some(match symbols.str(operator) {
            "<=" => left <= right,
            "<" => left < right,
            ">=" => left >= right,
            ">" => left > right,
            "=" => left == right,
            _ => left != right,
        })
    };
    let all_differ = |values: &[i128]| {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).all(|w| w[0] != w[1])
    };
    let satisfied = match name {
        "distinct" => all_differ(&first.iter().map(|&t| of(t)).collect::<Option<Vec<_>>>()?),
        "disjoint" => {
            let mut moments = Vec::new();
            for &t in &first {
                let (_, &[start, length]) = operator(program, symbols, t)? else { return None };
                let (start, length) = (of(start)?, of(length)?);
                moments.extend(start..start + length);
            }
            all_differ(&moments)
        }
        "__cumulative_h" => {
            let (mut tasks, mut times) = (Vec::new(), Vec::new());
            for e in &atom.elements {
                let &[task, demand, ..] = &program.theory.elements[e.0 as usize].terms[..] else {
                    return None;
                };
                let (_, &[start, length]) = operator(program, symbols, task)? else { return None };
                let (start, length, demand) = (of(start)?, of(length)?, of(demand)?);
                tasks.push((start, start + length, demand));
                times.push(start);
            }
            let needed = |time: i128| -> i128 {
                tasks.iter().filter(|t| t.0 <= time && time < t.1).map(|t| t.2).sum()
            };
            let capacity = of(atom.guard?.1)?;
            capacity >= 0 && times.into_iter().all(|time| needed(time) <= capacity)
        }
        "__count_h" | "__count_b" => {
            let value = of(*args.first()?)?;
            let number = first.iter().filter(|&&t| of(t) == Some(value)).count();
            compared(number as i128)?
        }
        "__element_h" | "__element_b" | "__table_h" | "__table_b" => {
            let args: Vec<i128> = args.iter().map(|&t| of(t)).collect::<Option<_>>()?;
            let is_table = name.starts_with("__table");
            let mut found = false;
            for e in &atom.elements {
                let terms = &program.theory.elements[e.0 as usize].terms;
                let row: Vec<i128> = terms.iter().map(|&t| of(t)).collect::<Option<_>>()?;
                found |= match is_table {
                    true => row == args,
                    false => row.first() == args.first() && compared(*row.get(1)?)?,
                };
            }
            found
        }
        "dom" => {
            let value = of(atom.guard?.1)?;
            let within = |&t: &TheoryTermId| match operator(program, symbols, t) {
                Some(("..", &[low, high])) => Some(of(low)? <= value && value <= of(high)?),
                _ => Some(of(t)? == value),
            };
            first.iter().any(|t| within(t) == Some(true))
        }
        _ => {
            let left = first.iter().map(|&t| of(t)).sum::<Option<i128>>()?;
            compared(left)?
        }
    };
    Some((name.ends_with("_b"), satisfied))
}
