//! The table of symbols: order, text, threads, invalid handles.

use super::*;

fn parsed(text: &str) -> Symbol {
    parse(text).expect(text)
}

#[test]
fn symbols_stand_in_the_order_of_terms() {
    let texts = [
        "#inf",
        "-1",
        "1",
        "99999999999",
        "()",
        "a",
        "aa",
        "b",
        "-a",
        "-aa",
        "-b",
        "\"a\"",
        "\"s\"",
        "(1,)",
        "ab(1)",
        "f(1)",
        "g(1)",
        "z(1)",
        "(1,2)",
        "f(1,2)",
        "-f(1)",
        "-g(1)",
        "-f(1,2)",
        "#sup",
    ];
    let symbols: Vec<Symbol> = texts.iter().map(|t| parsed(t)).collect();
    for (i, (a, text)) in symbols.iter().zip(texts).enumerate() {
        assert_eq!(to_text(*a).unwrap(), text);
        for (j, b) in symbols.iter().enumerate() {
            assert_eq!(a.order(*b), i.cmp(&j), "{text} and {}", texts[j]);
            assert_eq!(a == b, i == j);
        }
    }
    assert_eq!(parsed("p(1+2*3)"), parsed("p( 7 )"));
    assert_eq!(to_text(parsed("\"\\n\\\\\\\"\"")).unwrap(), "\"\\n\\\\\\\"\"");
}

#[test]
fn what_is_no_term_is_an_error() {
    for text in [
        "f(X)",
        "1..2",
        "1;2",
        "f(",
        "a+1",
        "@f(1)",
        "_",
        "f(1/0)",
        "",
        "not a",
        "a.b",
        "1. #const a=1",
        "f(1;2)",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn threads_make_the_same_symbols() {
    let make = || -> Vec<Symbol> {
        let numbers = (0..20_000).map(|n| {
            let n = Symbol::number(n).unwrap();
            let inner = Symbol::function("inner", &[n], false).unwrap();
            Symbol::function("outer", &[inner, n], n.raw() % 16 > 8).unwrap()
        });
        numbers.collect()
    };
    let threads: Vec<_> = (0..8).map(|_| std::thread::spawn(make)).collect();
    let here = make();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), here);
    }
}

#[test]
fn handles_that_were_never_given_out_are_errors() {
    for raw in [3_u64, 6, u64::MAX - 1, 5 | 1 << 40, 4 | 1 << 30 << 3, 2 | 999_999 << 3] {
        // SAFETY: a symbol is a word of any value.
        let symbol: Symbol = unsafe { std::mem::transmute(raw) };
        assert!(symbol.kind().is_err(), "{raw}");
        assert!(to_text(symbol).is_err());
        assert!(Symbol::function("f", &[symbol], false).is_err());
        symbol.order(Symbol::INFIMUM);
    }
}
