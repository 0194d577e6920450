//! A finite set of integers, as ranges.
//!
//! Invariant: ranges are ascending, not empty, and apart.

/// A finite set of integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain(Vec<(i64, i64)>);

impl Domain {
    /// The integers from one to another.
    pub fn of(least: i64, greatest: i64) -> Self {
        Self(if least <= greatest { vec![(least, greatest)] } else { Vec::new() })
    }
    /// The union of ranges.
    pub fn union(ranges: &[(i64, i64)]) -> Self {
        let mut sorted: Vec<(i64, i64)> = ranges.iter().copied().filter(|r| r.0 <= r.1).collect();
        sorted.sort_unstable();
        let mut out: Vec<(i64, i64)> = Vec::new();
        for (low, high) in sorted {
            match out.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => out.push((low, high)),
            }
        }
        Self(out)
    }
    /// First and last numbers of each range, ascending.
    pub fn ranges(&self) -> impl Iterator<Item = (i64, i64)> {
        self.0.iter().copied()
    }
    /// The least and the greatest member.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        Some((self.0.first()?.0, self.0.last()?.1))
    }
    /// The number of members.
    pub fn size(&self) -> u64 {
        self.0.iter().map(|r| r.1.abs_diff(r.0) + 1).sum()
    }
    /// Whether a number is a member.
    pub fn contains(&self, value: i64) -> bool {
        self.0.iter().any(|r| r.0 <= value && value <= r.1)
    }
    /// All members in order.
    pub fn values(&self) -> impl Iterator<Item = i64> {
        self.0.iter().flat_map(|r| r.0..=r.1)
    }
    /// Keeps what is in another set, too. Returns whether anything was removed.
    pub fn intersect(&mut self, other: &Domain) -> bool {
        let mut out = Vec::new();
        let (mut i, mut k) = (0, 0);
        while let (Some(&a), Some(&b)) = (self.0.get(i), other.0.get(k)) {
            let common = (a.0.max(b.0), a.1.min(b.1));
            if common.0 <= common.1 {
                out.push(common);
            }
            if a.1 <= b.1 {
                i += 1;
            } else {
                k += 1;
            }
        }
        let changed = out != self.0;
        self.0 = out;
        changed
    }
    /// Removes a number. Returns whether it was there.
    pub fn remove(&mut self, value: i64) -> bool {
        let Some(at) = self.0.iter().position(|r| r.0 <= value && value <= r.1) else { return false };
        let (low, high) = self.0[at];
        let parts = [(low, value.saturating_sub(1)), (value.saturating_add(1), high)];
        self.0.splice(at..=at, parts.into_iter().filter(|r| r.0 <= r.1));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let mut set = Domain::union(&[(5, 7), (1, 2), (3, 3), (9, 8)]);
        assert_eq!(set, Domain(vec![(1, 3), (5, 7)]));
        assert_eq!((set.size(), set.bounds()), (6, Some((1, 7))));
        assert!(set.remove(6) && !set.remove(6) && !set.contains(6));
        assert!(set.intersect(&Domain::of(2, 5)));
        assert_eq!(set.values().collect::<Vec<_>>(), [2, 3, 5]);
        assert!(!set.intersect(&Domain::of(0, 9)));
        assert!(set.intersect(&Domain::of(9, 0)));
        assert_eq!(set.bounds(), None);
    }
}
