//! Typed indices and vectors keyed by them.
//!
//! Invariant: an index type is a `u32`; a vector keyed by it cannot be indexed by another one.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A 32-bit index type made by [`define_index!`](crate::define_index).
pub trait Idx: Copy + Eq {
    /// The index of a position. Panics in debug builds if it does not fit 32 bits.
    fn from_usize(i: usize) -> Self;
    /// The position as an index of arrays.
    fn index(self) -> usize;
}

/// Defines a 32-bit index newtype that implements [`Idx`].
#[macro_export]
macro_rules! define_index {
    ($(#[$meta:meta])* $vis:vis struct $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis struct $name(pub u32);
        impl $crate::index_vec::Idx for $name {
            #[inline]
            fn from_usize(i: usize) -> Self {
                debug_assert!(u32::try_from(i).is_ok());
                Self(i as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// A vector indexed by `I`.
#[derive(Clone, Debug)]
pub struct IndexVec<I, T> {
    raw: Vec<T>,
    marker: PhantomData<fn(I)>,
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self { raw: Vec::new(), marker: PhantomData }
    }
}

impl<I: Idx, T> IndexVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        Self::default()
    }
    /// A vector of `n` copies of `value`.
    pub fn from_elem(value: T, n: usize) -> Self
    where
        T: Clone,
    {
        Self { raw: vec![value; n], marker: PhantomData }
    }
    /// Appends a value and returns its index.
    #[inline]
    pub fn push(&mut self, value: T) -> I {
        let i = I::from_usize(self.raw.len());
        self.raw.push(value);
        i
    }
    /// The index that the next `push` will return.
    #[inline]
    pub fn next_index(&self) -> I {
        I::from_usize(self.raw.len())
    }
    /// Number of values.
    #[inline]
    pub fn len(&self) -> usize {
        self.raw.len()
    }
    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }
    /// The values in order of index.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.raw.iter()
    }
    /// The values with their indices.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.raw.iter().enumerate().map(|(i, t)| (I::from_usize(i), t))
    }
    /// All indices in order.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.raw.len()).map(I::from_usize)
    }
    /// Makes room for more values, exactly.
    pub fn reserve_exact(&mut self, more: usize) {
        self.raw.reserve_exact(more);
    }
    /// The values as a plain slice.
    pub fn as_slice(&self) -> &[T] {
        &self.raw
    }
    /// The values as a plain mutable slice.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.raw
    }
}

impl<I: Idx, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, i: I) -> &T {
        &self.raw[i.index()]
    }
}

impl<I: Idx, T> IndexMut<I> for IndexVec<I, T> {
    #[inline]
    fn index_mut(&mut self, i: I) -> &mut T {
        &mut self.raw[i.index()]
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(iter: A) -> Self {
        Self { raw: iter.into_iter().collect(), marker: PhantomData }
    }
}
