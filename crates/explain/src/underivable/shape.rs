//! Trees of goals made shorter: goals whose reasons stand elsewhere in one line, and a long chain of like steps.
//!
//! Invariant: what is left out is counted.

use super::telling::{CIRCLE, NONE_DERIVES, TOLD};
use crate::renderer::list;
use crate::tree::Node;
use asp_base::span::Span;

/// How many steps are left out at least.
const LEAST: usize = 3;

/// Instances of a rule: those that only refer to other places are one node, the last.
pub(super) fn merged(nodes: Vec<Node>) -> Vec<Node> {
    let (mut kept, mut goals, mut again): (Vec<Node>, Vec<String>, Option<Node>) =
        (Vec::new(), Vec::new(), None);
    let refers = |node: &Node| node.reason == TOLD || node.reason == CIRCLE;
    if nodes.iter().filter(|node| refers(node)).count() < 2 {
        return nodes;
    }
    for node in nodes {
        match node.text.split_once(NONE_DERIVES) {
            Some((_, goal)) if refers(&node) => {
                if !goals.iter().any(|known| known == goal) {
                    goals.push(goal.to_string());
                }
                again.get_or_insert(node);
            }
            _ => kept.push(node),
        }
    }
    kept.extend(again.map(|node| Node {
        text: format!("{NONE_DERIVES}{}", list(&goals, ", ")),
        reason: TOLD.into(),
        ..node
    }));
    kept
}

/// The statements that a step names beside the next step.
type Kind = (Option<Span>, Vec<Option<Span>>);

/// Leaves out the middle of long chains in which the same statements come again and again.
pub(super) fn fold(node: &mut Node) {
    let mut kinds: Vec<Kind> = Vec::new();
    let (mut turn, mut below) = (0, &*node);
    while let Some(next) = step(below) {
        below = next;
        let kind = kind(below);
        turn += usize::from(kinds.len() == turn && !kinds.contains(&kind));
        kinds.push(kind);
    }
    let alike = kinds.iter().skip(turn).take_while(|kind| kinds[..turn].contains(kind)).count();
    // One turn and the step after it stay, and the last one.
    if alike < LEAST + 2 {
        node.children.iter_mut().for_each(fold);
        return;
    }
    let mut first = node;
    for _ in 0..=turn {
        let Some(next) = next_mut(first) else { return };
        first = next;
    }
    let mut last = std::mem::take(&mut first.children);
    for _ in 0..alike - 2 {
        let next = last.into_iter().find(|child| !child.children.is_empty());
        last = next.map_or(Vec::new(), |next| next.children);
    }
    last.iter_mut().for_each(fold);
    let more = Node { children: last, ..Node::new(format!("... {} more such steps", alike - 2)) };
    first.children.push(more);
}

/// The only child that has reasons, or is alone.
fn step(node: &Node) -> Option<&Node> {
    let mut inner = node.children.iter().filter(|child| !child.children.is_empty());
    match (inner.next(), inner.next()) {
        (Some(next), None) => Some(next),
        _ => None,
    }
}

fn next_mut(node: &mut Node) -> Option<&mut Node> {
    node.children.iter_mut().find(|child| !child.children.is_empty())
}

fn kind(node: &Node) -> Kind {
    let span = |node: &Node| node.place.as_ref().map(|place| place.span);
    let leaves = node.children.iter().filter(|child| child.children.is_empty());
    (span(node), leaves.map(span).collect())
}
