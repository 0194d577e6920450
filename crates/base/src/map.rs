//! The hash map and hash set that all crates use.
//!
//! Invariant: the hasher is fixed, so iteration order is the same from run to run; even so no output and
//! no search decision may depend on it.

use rustc_hash::FxBuildHasher;

/// Hash map with a fixed, fast hasher.
pub type Map<K, V> = hashbrown::HashMap<K, V, FxBuildHasher>;

/// Hash set with a fixed, fast hasher.
pub type Set<K> = hashbrown::HashSet<K, FxBuildHasher>;

/// Hashes a slice of 32-bit words (multiply-rotate, finished with an xor-shift so that high and low bits are usable).
#[inline]
pub fn hash_words(seed: u64, words: impl Iterator<Item = u32>) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = seed.wrapping_mul(K) ^ 0x51_7cc1_b727_220a;
    for w in words {
        h = (h.rotate_left(23) ^ u64::from(w)).wrapping_mul(K);
    }
    h ^ (h >> 32)
}
