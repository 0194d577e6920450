//! Scheduling of reviews: one at a time, by a worker, once a program's texts have not changed for a while.
//!
//! Invariant: the result for texts that have changed since is dropped; a program is reviewed once for the same texts,
//! however that ends.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::client::{Client, seconds};
use super::documents::Documents;
use super::review::{self, Review};
use asp_analysis::project::Entry;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::threads;
use asp_run::watch;

/// How long the text must rest before it is reviewed.
const REST: Duration = Duration::from_millis(80);
/// The stack of a worker.
const STACK: usize = 64 << 20;
/// When to look again at a worker that was asked to stop.
pub(super) const AGAIN: Duration = Duration::from_millis(50);

/// A message of a worker, with its number.
pub(super) enum Reviewed {
    /// It has found something in the program of a root.
    Found(u64, String, Box<Review>),
    /// It has ended, whatever it found.
    End(u64),
}

/// The effect of such a message.
pub(super) enum Taken {
    /// Nothing: the texts have changed.
    Late,
    /// Something new is known.
    Found,
    /// The worker of that number has ended.
    End(u64),
}

struct Running {
    number: u64,
    root: String,
    texts: Vec<Entry>,
    interrupt: Interrupt,
    end: Instant,
}

#[derive(Default)]
pub(super) struct Reviewer {
    by_root: BTreeMap<String, Review>,
    /// When the programs are to be reviewed.
    due: Option<Instant>,
    running: Option<Running>,
    /// Number of the last review that was begun.
    begun: u64,
}

impl Reviewer {
    pub(super) fn touch(&mut self, documents: &Documents) {
        self.due = Some(Instant::now() + REST);
        let same = |(a, b): (&Entry, &Entry)| a.key == b.key && Arc::ptr_eq(&a.index, &b.index);
        let has_changed = |r: &Running| {
            let texts = documents.project.program(&r.root);
            texts.len() != r.texts.len() || !texts.iter().zip(&r.texts).all(same)
        };
        if self.running.as_ref().is_some_and(has_changed) {
            self.stop();
            // Its further messages are about another text.
            self.running = None;
        }
    }

    /// A request waits for the next review: it need not wait for a pause in typing.
    pub(super) fn hurry(&mut self) {
        self.due = self.due.map(|due| due.min(Instant::now()));
    }

    /// All reviews are to be made again.
    pub(super) fn forget(&mut self) {
        self.by_root.clear();
    }

    /// Asks the worker to stop.
    pub(super) fn stop(&mut self) {
        self.running.iter().for_each(|r| r.interrupt.stop(StopReason::Interrupted));
    }

    /// When there is something to do.
    pub(super) fn next_time(&self) -> Option<Instant> {
        match &self.running {
            Some(running) => Some(running.end),
            None => self.due,
        }
    }

    /// Stops what takes too long, begins what is due; whether everything is known by now.
    pub(super) fn work(
        &mut self,
        now: Instant,
        documents: &Documents,
        client: &Client,
        tell: impl Fn(Reviewed) + Send + Clone + 'static,
    ) -> bool {
        match &mut self.running {
            Some(running) if running.end <= now => {
                running.interrupt.stop(StopReason::TimeLimit);
                running.end = now + AGAIN;
                false
            }
            None if self.due.is_some_and(|due| due <= now) => !self.begin(documents, client, tell),
            _ => false,
        }
    }

    /// Begins the review of a program whose texts have changed; whether there is one.
    fn begin(
        &mut self,
        documents: &Documents,
        client: &Client,
        tell: impl Fn(Reviewed) + Send + Clone + 'static,
    ) -> bool {
        self.due = None;
        let project = &documents.project;
        let roots = project.roots();
        self.by_root.retain(|root, _| roots.contains(root));
        let to_do = roots.into_iter().find_map(|root| {
            let texts = project.program(&root);
            let done = self.by_root.get(&root).is_some_and(|r| r.is_complete && r.is_of(&texts));
            (!done && texts.first().is_some_and(|t| t.key == root)).then_some((root, texts))
        });
        let Some((root, texts)) = to_do else { return false };
        self.begun += 1;
        let end = Instant::now() + seconds(client.seconds);
        let (number, interrupt) = (self.begun, watch::until(end));
        let request = review::Request {
            root: root.clone(),
            texts: texts.clone(),
            loader: project.loader(),
            instances: client.instances,
        };
        self.running = Some(Running { number, root: root.clone(), texts, interrupt: interrupt.clone(), end });
        let told = tell.clone();
        let begun = spawn(move || {
            // The end is reported in any case.
            let _ = catch_unwind(AssertUnwindSafe(|| {
                review::review(request, &interrupt, &mut |review| {
                    told(Reviewed::Found(number, root.clone(), Box::new(review)));
                });
            }));
            told(Reviewed::End(number));
        });
        if !begun {
            tell(Reviewed::End(number));
        }
        true
    }

    /// Takes what a worker tells.
    pub(super) fn take(&mut self, told: Reviewed) -> Taken {
        let (Reviewed::Found(number, ..) | Reviewed::End(number)) = told;
        if self.running.as_ref().is_none_or(|r| r.number != number) {
            return Taken::Late;
        }
        match told {
            Reviewed::Found(_, root, review) => {
                self.by_root.insert(root, *review);
                Taken::Found
            }
            Reviewed::End(number) => {
                if let Some(Running { root, texts, .. }) = self.running.take() {
                    // A worker that failed is not begun again for the same texts.
                    let review = self.by_root.get(&root);
                    if !review.is_some_and(|r| r.is_complete && r.is_of(&texts)) {
                        self.by_root.insert(root, Review::nothing(texts));
                    }
                }
                self.due.get_or_insert(Instant::now());
                Taken::End(number)
            }
        }
    }

    /// Whether all is known of the programs that a text is part of.
    pub(super) fn is_settled(&self, documents: &Documents, key: &str) -> bool {
        let project = &documents.project;
        let done = |root: &String| {
            let texts = project.program(root);
            self.by_root.get(root).is_some_and(|r| r.is_complete && r.is_of(&texts)) || texts.is_empty()
        };
        project.roots_of(key).iter().all(done)
    }

    /// The reviews that are current, by root.
    pub(super) fn current(&self, documents: &Documents) -> impl Iterator<Item = (&String, &Review)> {
        self.by_root.iter().filter(|(root, review)| review.is_of(&documents.project.program(root)))
    }

    /// The current reviews of the programs that a text is part of.
    pub(super) fn of(&self, documents: &Documents, key: &str) -> Vec<&Review> {
        let roots = documents.project.roots_of(key);
        self.current(documents).filter(|(root, _)| roots.contains(root)).map(|(_, review)| review).collect()
    }
}

/// Runs a worker, which reports its own end; returns whether it could be started. Without threads, it runs here and now.
pub(super) fn spawn(work: impl FnOnce() + Send + 'static) -> bool {
    if !threads::can_start() {
        work();
        return true;
    }
    thread::Builder::new().name("work".into()).stack_size(STACK).spawn(work).is_ok()
}
