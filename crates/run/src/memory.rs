//! The memory of this process and its limits: of its address space (`ulimit -v`, `-d`), of its container (cgroup, versions 1 and
//! 2), and of the machine.
//!
//! Invariant: a limit is reached before the system refuses memory. In an address space, growing arrays must find room to double;
//! of memory in use, a tenth is left for the end of the run. Unknown limits are no limits.

use std::fs;
use std::path::{Path, PathBuf};

/// The memory that the system leaves to this process, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Room {
    /// Of the address space.
    address: Option<u64>,
    /// Of writable memory, in use or not.
    data: Option<u64>,
    /// Of memory in use, by the container or the machine.
    resident: Option<u64>,
}

/// The memory of this process, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Taken {
    address: u64,
    resident: u64,
    data: u64,
}

impl Room {
    /// Reads it from the system.
    pub(crate) fn find() -> Self {
        Self::find_in(Path::new("/proc"), Path::new("/sys/fs/cgroup"))
    }

    fn find_in(proc: &Path, cgroups: &Path) -> Self {
        let read = |path: PathBuf| fs::read_to_string(path).unwrap_or_default();
        let limits = read(proc.join("self/limits"));
        let limit = |name: &str| {
            let rest = limits.lines().find_map(|line| line.strip_prefix(name))?;
            rest.split_ascii_whitespace().next()?.parse().ok()
        };
        let machine = read(proc.join("meminfo"));
        let machine = machine.lines().find_map(|line| line.strip_prefix("MemTotal:"));
        let machine = machine.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        let machine = machine.map(|kilobytes| kilobytes << 10);
        let own = containers(&read(proc.join("self/cgroup")), cgroups);
        let container = own.into_iter().filter_map(|path| read(path).trim().parse::<u64>().ok()).min();
        Self {
            address: limit("Max address space"),
            data: limit("Max data size"),
            resident: [machine, container].into_iter().flatten().min(),
        }
    }

    /// A note on a given limit, if the system does not tell the memory of the process.
    pub(crate) fn unheeded(given: Option<u64>) -> Option<&'static str> {
        let is_limited = given.is_some_and(|limit| limit < u64::MAX);
        (is_limited && taken().is_none())
            .then_some("*** Warn : (asp): --memory-limit has no effect on this system: only Linux tells how much is used")
    }

    /// Whether the process has reached a limit; `given` stands for that of memory in use.
    pub(crate) fn is_reached(&self, given: Option<u64>) -> bool {
        taken().is_some_and(|taken| self.is_reached_by(taken, given))
    }

    fn is_reached_by(&self, taken: Taken, given: Option<u64>) -> bool {
        let resident = given.or_else(|| self.resident.map(|limit| limit - limit / 10));
        resident.is_some_and(|limit| taken.resident > limit)
            || self.address.is_some_and(|limit| taken.address.saturating_add(taken.data) > limit)
            || self.data.is_some_and(|limit| taken.data.saturating_mul(2) > limit)
    }

    /// Whether a process that has reached a limit may go on for a moment.
    pub(crate) fn leaves_some(&self, given: Option<u64>) -> bool {
        let most = |limit: Option<u64>| limit.map_or(u64::MAX, |limit| limit - limit / 16);
        let resident =
            most(self.resident).min(given.map_or(u64::MAX, |limit| limit.saturating_add(limit / 2)));
        taken().is_some_and(|taken| {
            taken.resident < resident && taken.address < most(self.address) && taken.data < most(self.data)
        })
    }

    /// Whether refused memory is due to a limit, not to a request that no limit would permit.
    pub(crate) fn is_near(&self, given: Option<u64>) -> bool {
        let quarter = |limit: Option<u64>| limit.map(|limit| limit / 4);
        let near = Self {
            address: quarter(self.address),
            data: quarter(self.data),
            resident: quarter(self.resident),
        };
        near.is_reached(quarter(given))
    }
}

/// The files with the limits of a process's control groups and their parents. Within a container, its own group may be the root
/// of its view.
fn containers(groups: &str, root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (folder, file) = match controllers {
            "" => (root.to_path_buf(), "memory.max"),
            all if all.split(',').any(|one| one == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let own = Path::new(path.trim_start_matches('/'));
        files.extend(own.ancestors().map(|group| folder.join(group).join(file)));
    }
    files
}

#[cfg(not(target_arch = "wasm32"))]
fn taken() -> Option<Taken> {
    const PAGE: u64 = 4096;
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: Vec<u64> = text.split_ascii_whitespace().map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let &[address, resident, _, _, _, data, ..] = pages.as_slice() else { return None };
    Some(Taken { address: address * PAGE, resident: resident * PAGE, data: data * PAGE })
}

/// Memory that was taken is never given back.
#[cfg(target_arch = "wasm32")]
fn taken() -> Option<Taken> {
    let bytes = core::arch::wasm32::memory_size(0) as u64 * 65536;
    Some(Taken { address: bytes, resident: bytes, data: bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(files: &[(&str, &str)]) -> Room {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Room::find_in(&folder.path().join("proc"), &folder.path().join("cgroup"))
    }

    #[test]
    fn limits_are_found() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\n\
             Max data size             unlimited            unlimited            bytes\n\
             Max address space         2048000000           unlimited            bytes\n";
        let memory = ("proc/meminfo", "MemTotal:       16000 kB\nMemFree: 1 kB\n");
        let found = room(&[("proc/self/limits", limits), memory]);
        let expected = Room { address: Some(2_048_000_000), data: None, resident: Some(16_000 << 10) };
        assert_eq!(found, expected);
        // Version 2: the group around counts, too.
        let own = ("proc/self/cgroup", "0::/a/b\n");
        let found =
            room(&[memory, own, ("cgroup/a/b/memory.max", "max\n"), ("cgroup/a/memory.max", "5000\n")]);
        assert_eq!(found.resident, Some(5000));
        // In a container, the path is that of the system around it.
        let found = room(&[memory, own, ("cgroup/memory.max", "6000\n")]);
        assert_eq!(found.resident, Some(6000));
        let own = ("proc/self/cgroup", "4:cpu,memory:/a\n0::/\n");
        let found = room(&[memory, own, ("cgroup/memory/a/memory.limit_in_bytes", "7000\n")]);
        assert_eq!(found.resident, Some(7000));
        assert_eq!(room(&[]), Room::default());
    }

    #[test]
    fn limits_are_reached_in_time() {
        let taken = |address, resident, data| Taken { address, resident, data };
        let room = Room { address: Some(1000), data: None, resident: Some(500) };
        assert!(!room.is_reached_by(taken(600, 300, 300), None));
        assert!(room.is_reached_by(taken(600, 300, 450), None));
        assert!(room.is_reached_by(taken(400, 460, 200), None));
        assert!(!room.is_reached_by(taken(400, 460, 200), Some(470)));
        assert!(!Room::default().is_reached_by(taken(u64::MAX, u64::MAX, u64::MAX), None));
    }
}
