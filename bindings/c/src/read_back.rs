//! Values of options as clasp gives them back: whole, by the names that it uses.

/// Whether the value of a flag says yes.
pub fn is_on(value: &str) -> bool {
    matches!(value, "1" | "true" | "yes" | "on")
}

/// What clasp adds to a value whose last parts were left out: the parts of a whole one, where the first one stands for itself.
const PARTS: &[(&str, &str)] = &[
    ("solve_limit", "N,umax"),
    ("parallel_mode", "N,compete"),
    ("project", "A,0"),
    ("distribute", "A,global,4,4194303"),
    ("integrate", "A,1024,all"),
    ("heuristic", "A,0"),
    ("lookahead", "A,0"),
    ("strengthen", "A,all,yes"),
    ("counter_restarts", "N,9973"),
    ("block_restarts", "N,1.4,10000,e"),
    ("del_max", "N,0"),
    ("del_glue", "N,0"),
    ("vsids_progress", "N,1,5000"),
    ("update_lbd", "A,0"),
    ("contraction", "N,no"),
    ("partial_check", "N,0"),
    ("deletion", "A,75,activity"),
    ("del_grow", "N,3"),
    ("rand_prob", "N,100"),
    ("opt_usc_shrink", "A,10"),
];

/// A value as clasp gives it back: with the parts that were left out, names of its own in small letters.
pub fn whole(name: &str, text: String) -> String {
    if matches!(name, "sign_fix" | "init_moms" | "restart_on_model") {
        return u8::from(is_on(&text)).to_string();
    }
    if name == "no_lookback" {
        return is_on(&text).to_string();
    }
    if text == "no" || text == "off" {
        return if matches!(name, "restarts" | "del_cfl" | "rand_freq") { "0" } else { "no" }.to_string();
    }
    match (name, &text[..]) {
        ("parse_ext" | "parse_maxsat", value) => is_on(value).to_string(),
        ("project", "0") => "no".to_string(),
        ("project", "1") => "auto,0".to_string(),
        ("eq", "-1") => "67108863".to_string(),
        ("restarts", value) => whole_schedule(value),
        ("solve_limit", value) => {
            let parts: Vec<&str> = value.split(',').map(|n| if n == "-1" { "umax" } else { n }).collect();
            whole_parts(name, &parts.join(","))
        }
        ("global_restarts", value) => match value.split_once(',') {
            Some((number, schedule)) => format!("{number},{}", whole_schedule(schedule)),
            None => format!("{value},x,100,1.5,0"),
        },
        ("del_init", value) => match value.split_once(',') {
            Some((factor, rest)) => {
                format!("{},{rest}", factor.parse().map_or(factor.into(), |f: f64| f.to_string()))
            }
            None => value.to_string(),
        },
        ("deletion", value) => {
            whole_parts(name, &value.replacen("ipheap", "ipHeap", 1).replacen("ipsort", "ipSort", 1))
        }
        ("distribute", value) => match value.split_once(',') {
            // A number that stands where a name may is the one after it.
            Some((kind, rest)) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
                whole_parts(name, &format!("{kind},global,{rest}"))
            }
            _ => whole_parts(name, value),
        },
        ("sat_prepro", value) => whole_preprocessing(value),
        ("dom_mod", value) => match value.split_once(',') {
            Some((modifier, preferred)) => {
                format!("{},{}", named(modifier, MODIFIERS), named(preferred, PREFERRED))
            }
            None => named(value, MODIFIERS),
        },
        ("heuristic", _) => whole_parts(name, &text.to_lowercase()),
        ("opt_strategy", "bb") => "bb,lin".to_string(),
        ("opt_strategy", "usc") => "usc,oll".to_string(),
        ("opt_strategy", value)
            if value.strip_prefix("usc,").is_some_and(|n| n.parse::<usize>().is_ok_and(|n| n < 16)) =>
        {
            tactics(4 + value[4..].parse::<usize>().unwrap_or(0))
        }
        ("opt_strategy", value) => value.parse().map_or_else(|_| whole_parts(name, value), tactics),
        _ => whole_parts(name, &text),
    }
}

/// What a number stands for in `opt_strategy`: the tactics of `bb`, then those of `usc` as a sum.
fn tactics(number: usize) -> String {
    let Some(sum) = number.checked_sub(4) else {
        return format!("bb,{}", ["lin", "hier", "inc", "dec"][number]);
    };
    let relaxation = if sum & 4 != 0 { "pmres" } else { "oll" };
    let named = [(1, ",disjoint"), (2, ",succinct"), (8, ",stratify")];
    let named: String = named.iter().filter(|(bit, _)| sum & bit != 0).map(|(_, name)| *name).collect();
    format!("usc,{relaxation}{named}")
}

/// The modifiers of `dom_mod` by number, and what they are for.
const MODIFIERS: &[(&str, &str)] = &[
    ("0", "no"),
    ("1", "level"),
    ("2", "pos"),
    ("3", "true"),
    ("4", "neg"),
    ("5", "false"),
    ("6", "init"),
    ("7", "factor"),
];
const PREFERRED: &[(&str, &str)] =
    &[("0", "all"), ("1", "scc"), ("2", "hcc"), ("4", "disj"), ("8", "opt"), ("16", "show")];

/// A number by its name, a name as it is.
fn named(value: &str, names: &[(&str, &str)]) -> String {
    names.iter().find(|known| known.0 == value).map_or(value, |known| known.1).to_string()
}

/// A schedule of restarts with its short name, and without a limit if it grows by a factor.
fn whole_schedule(schedule: &str) -> String {
    let schedule = match schedule.strip_prefix("luby") {
        Some(rest) => format!("l{rest}"),
        None => schedule.to_string(),
    };
    let grows = schedule.starts_with("x,") || schedule.starts_with("+,");
    if grows && schedule.split(',').count() == 3 { schedule + ",0" } else { schedule }
}

/// The parts of `sat_prepro` by their names.
fn whole_preprocessing(value: &str) -> String {
    const NAMES: [&str; 6] = ["iter", "occ", "time", "frozen", "size", "bce"];
    let mut parts = value.split(',');
    let mut text = parts.next().unwrap_or_default().to_string();
    for (at, part) in parts.enumerate() {
        let name = NAMES.get(at).copied().unwrap_or_default();
        text += &if part.contains('=') { format!(",{part}") } else { format!(",{name}={part}") };
    }
    if !text.contains("size=") {
        text.push_str(",size=4000");
    }
    text
}

fn whole_parts(name: &str, text: &str) -> String {
    let given = text.split(',').count();
    let parts = PARTS.iter().find(|known| known.0 == name).map_or("", |known| known.1);
    parts.split(',').skip(given).fold(text.to_string(), |whole, part| whole + "," + part)
}
