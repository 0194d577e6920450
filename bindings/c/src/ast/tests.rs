//! Trees that are deep, contain themselves, are shared between threads, or make no sense.

use asp::message::Sources;
use asp::symbol::Symbols;
use asp::syntax::Input;

use super::node::{Ast, EMPTY, Location, Node, Value};
use super::print::print;
use super::read::read;
use super::schema::{Attribute, Kind, Type};
use super::unpool::unpool;
use super::{order, write};
use crate::map::SymbolMap;
use crate::symbol::{Symbol, intern_text};

fn parsed(text: &str) -> Vec<Ast> {
    let mut found = Vec::new();
    let (messages, _) = read(vec![Input::new("<string>", text)], &mut |ast| {
        found.push(ast);
        Ok(())
    })
    .expect(text);
    assert!(messages.is_empty(), "{messages:?}");
    found
}

fn printed(text: &str) -> String {
    parsed(text).iter().skip(1).map(|ast| print(ast).unwrap()).collect::<Vec<_>>().join(" ")
}

fn number(n: i64) -> Ast {
    let symbol = Value::Symbol(Symbol::number(n).unwrap());
    Node::new(Type::SymbolicTerm, Location::default(), vec![Value::Location, symbol])
}

fn minus(argument: Ast) -> Ast {
    let values = vec![Value::Location, Value::Number(0), Value::Ast(argument)];
    Node::new(Type::UnaryOperation, Location::default(), values)
}

fn written(ast: &Ast) -> Result<usize, String> {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let made = write::write(ast, &mut symbols, &mut sources, &mut SymbolMap::default());
    made.map(|statements| statements.len()).map_err(|fail| fail.message.into_string().unwrap())
}

#[test]
fn text_comes_back_as_clingo_prints_it() {
    assert_eq!(printed("a :- {b;c:d} < 2, 1+2*X = Y."), "a :- 2 > { b; c: d }; (1+(2*X)) = Y.");
    assert_eq!(printed("#minimize{ 1 : a } ."), ":~ a. [1@0]");
    assert_eq!(printed("p((1,),(;a),@f) . %c"), "p((1,),(();a),@f). %c");
    let sum = (0..3000).map(|i| i.to_string()).collect::<Vec<_>>().join("-");
    let out = printed(&format!("p({sum})."));
    assert!(out.starts_with("p(((((") && out.ends_with("-2998)-2999))."), "{}", &out[..20]);
    let again = parsed(&format!("p({sum})."));
    assert_eq!(written(&again[1]), Ok(1));
}

#[test]
fn deep_trees_need_no_stack() {
    let mut deep = number(1);
    for _ in 0..200_000 {
        deep = minus(deep);
    }
    let copy = deep.deep_copy();
    assert!(order::compare(&deep, &copy).is_eq());
    assert_eq!(order::hash(&deep), order::hash(&copy));
    assert_eq!(print(&deep).unwrap().len(), 200_001);
    assert_eq!(unpool(&deep, true, true).unwrap().len(), 1);
    let values = vec![Value::Location, Value::Ast(deep), Value::Asts(Vec::new())];
    let show = Node::new(Type::ShowTerm, Location::default(), values);
    assert!(written(&show).unwrap_err().contains("1000 deep"));
    for (open, close) in [("-", ""), ("f(", ")"), ("(", ",)"), ("|", "|"), ("1..(", ")")] {
        let term = format!("p({}1{}).", open.repeat(900), close.repeat(900));
        assert_eq!(written(&parsed(&term)[1]), Ok(1), "{open}");
        let theory = format!("&t {{ {}1{} }}.", "f(".repeat(900), ")".repeat(900));
        assert_eq!(written(&parsed(&theory)[1]), Ok(1));
    }
}

#[test]
fn a_node_cannot_be_put_into_itself() {
    let inner = minus(number(1));
    let outer = minus(minus(inner.clone()));
    let put = |value: &mut Value, new: Ast| match value {
        Value::Ast(old) => Some(std::mem::replace(old, new)),
        _ => None,
    };
    let children = outer.children();
    assert!(inner.adopt(Attribute::Argument, &outer, put).is_err());
    assert!(children[0].adopt(Attribute::Argument, &outer, put).is_err());
    assert!(outer.adopt(Attribute::Argument, &outer, put).is_err());
    assert!(outer.adopt(Attribute::Argument, &inner, put).is_ok());
    assert_eq!(print(&outer).unwrap(), "--1");
    assert!(outer.adopt(Attribute::Left, &inner, put).is_err());
    assert!(outer.adopt(Attribute::OperatorType, &inner, put).is_err());
}

#[test]
fn threads_share_nodes() {
    let shared = parsed("a(1;2) :- b(X;Y), not c.").remove(1);
    let threads: Vec<_> = (0..4)
        .map(|i| {
            let shared = shared.clone();
            std::thread::spawn(move || {
                for _ in 0..200 {
                    let head = parsed("d.").remove(1);
                    let put = |value: &mut Value, new: Ast| match value {
                        Value::Ast(old) => Some(std::mem::replace(old, new)),
                        _ => None,
                    };
                    let new = head.children().remove(0);
                    if i < 2 {
                        shared.adopt(Attribute::Head, &new, put).unwrap();
                    }
                    print(&shared).unwrap();
                    order::hash(&shared.deep_copy());
                    unpool(&shared, true, true).unwrap();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
    assert_eq!(print(&shared).unwrap(), "d :- b(X;Y); not c.");
}

/// Any value for an attribute, from a seed.
fn any_value(kind: Kind, next: &mut impl FnMut() -> usize, nodes: &[Ast]) -> Value {
    let texts = ["a", "X", "", "_", "not", "+", "<="];
    let text = |n: usize| intern_text(texts[n % texts.len()]).unwrap_or(EMPTY);
    let node = |n: usize| nodes[n % nodes.len()].clone();
    match kind {
        Kind::Number => Value::Number(next() as i32 % 9 - 1),
        Kind::Symbol => {
            let n = Symbol::number(next() as i64 % 5).unwrap();
            Value::Symbol([n, Symbol::function("f", &[n], true).unwrap(), Symbol::INFIMUM][next() % 3])
        }
        Kind::Location => Value::Location,
        Kind::Text => Value::Text(text(next())),
        Kind::Ast => Value::Ast(node(next())),
        Kind::Optional => Value::Optional(next().is_multiple_of(2).then(|| node(next()))),
        Kind::Texts => Value::Texts((0..next() % 3).map(|_| text(next())).collect()),
        Kind::Asts => Value::Asts((0..next() % 3).map(|_| node(next())).collect()),
    }
}

#[test]
fn trees_that_mean_nothing_are_errors() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize
    };
    let (mut made, mut refused) = (0, 0);
    for _ in 0..200 {
        let mut nodes = parsed(
            "a(1;X) :- b : c; 1 < { d } < 2; #sum { X : e } = Y. &t { x + y : z } < 3. #theory u { }.",
        );
        for i in 0..nodes.len() {
            let below = nodes[i].children();
            nodes.extend(below.iter().flat_map(|n| n.children()).chain(below.clone()));
        }
        for _ in 0..60 {
            let kind = Type::ALL[next() % Type::ALL.len()];
            let values = kind.shape().iter().map(|a| any_value(a.kind, &mut next, &nodes)).collect();
            let ast = Node::new(kind, Location::default(), values);
            let _ = print(&ast);
            let _ = unpool(&ast, next().is_multiple_of(2), next().is_multiple_of(2));
            order::hash(&ast);
            match written(&ast) {
                Ok(_) => made += 1,
                Err(_) => refused += 1,
            }
            nodes.push(ast);
        }
    }
    assert!(made > 100 && refused > 1000, "{made} {refused}");
}
