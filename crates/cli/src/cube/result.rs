//! The result of a run on one cube, from its JSON output (`--outf=2`).
//!
//! Invariant: a result that cannot be read completely counts as lost; no part of it is used.

use serde_json::Value;

use asp_options::disk;

/// The result of a run on a cube.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CubeResult {
    /// The file that it comes from.
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) program: String,
    /// The mode: `models`, `brave`, `cautious`, `opt` or `optN`.
    pub(crate) mode: String,
    /// Whether nothing is left to be found in the cube.
    pub(crate) is_closed: bool,
    /// Whether it has an answer set.
    pub(crate) is_satisfiable: bool,
    /// Answer sets that were found; of the optimal ones, if the mode is `optN`.
    pub(crate) models: u64,
    pub(crate) costs: Option<Vec<i64>>,
    /// Costs that no answer set of the cube is below.
    pub(crate) lower: Option<Vec<i64>>,
    /// Costs from elsewhere: only better answer sets were looked for.
    pub(crate) bound: Option<Vec<i64>>,
    /// The answer sets that were printed, or what they add up to, with their costs.
    pub(crate) witnesses: Vec<Witness>,
}

/// An answer set as it was printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Witness {
    /// The shown symbols; none if they were not printed.
    pub(crate) shown: Option<Vec<String>>,
    pub(crate) costs: Option<Vec<i64>>,
}

/// Reads the output of a run.
pub(crate) fn read(name: &str) -> Result<CubeResult, String> {
    let text = disk::read_to_string(name).map_err(|why| format!("{name} could not be read: {why}"))?;
    parse(name, &text)
}

/// Reads such an output's text.
pub(crate) fn parse(name: &str, text: &str) -> Result<CubeResult, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|why| format!("{name} is not a complete result: {why}"))?;
    of_value(name, &value)
        .ok_or_else(|| format!("{name} is not the result of a run with --cube and --outf=2"))
}

fn of_value(name: &str, value: &Value) -> Option<CubeResult> {
    let cube = value.get("Cube")?;
    let text = |key: &str| Some(cube.get(key)?.as_str()?.to_string());
    let models = value.get("Models")?;
    let mode = text("Mode")?;
    let costs = models.get("Costs").and_then(numbers);
    let counted = if mode == "optN" { models.get("Optimal") } else { models.get("Number") };
    let call = value.get("Call")?.as_array()?.last();
    let witnesses = call.and_then(|call| call.get("Witnesses")?.as_array());
    let witnesses = witnesses.into_iter().flatten().filter_map(witness).collect();
    let is_closed = cube.get("Closed")?.as_bool()?;
    let closed_at = costs.clone().filter(|_| is_closed);
    let lower = value.get("Bounds").and_then(|bounds| bounds.get("Lower")).and_then(numbers);
    Some(CubeResult {
        name: name.to_string(),
        id: text("Id")?,
        program: text("Program")?,
        mode,
        is_closed,
        is_satisfiable: models.get("Number")?.as_u64()? > 0,
        models: counted.and_then(Value::as_u64).unwrap_or(0),
        lower: closed_at.or(lower),
        costs,
        bound: cube.get("Bound").and_then(numbers),
        witnesses,
    })
}

/// A witness; lower bounds stand among them too.
fn witness(value: &Value) -> Option<Witness> {
    let shown = value.get("Value").and_then(Value::as_array).map(|shown| {
        let texts = shown.iter().filter_map(Value::as_str);
        texts.map(str::to_string).collect()
    });
    let costs = value.get("Costs").and_then(numbers);
    (value.get("Lower").is_none()).then_some(Witness { shown, costs })
}

fn numbers(value: &Value) -> Option<Vec<i64>> {
    value.as_array()?.iter().map(Value::as_i64).collect()
}
