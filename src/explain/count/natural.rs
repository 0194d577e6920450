//! Natural numbers of any size: just what counting and drawing by weight need.
//!
//! Invariant: the digits (base 2^32, least first) have no leading zero; zero has none.

use std::cmp::Ordering;
use std::fmt;

use crate::base::rng::Rng;

/// A natural number.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Natural(Vec<u32>);

impl Natural {
    /// Zero, as a constant.
    pub const ZERO: Natural = Natural(Vec::new());
    /// Zero.
    pub fn zero() -> Self {
        Self(Vec::new())
    }
    /// One.
    pub fn one() -> Self {
        Self(vec![1])
    }
    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
    /// Whether it is one.
    pub fn is_one(&self) -> bool {
        self.0 == [1]
    }
    /// The power of two with this exponent.
    pub fn power_of_two(exponent: u32) -> Self {
        let mut digits = vec![0; exponent as usize / 32];
        digits.push(1 << (exponent % 32));
        Self(digits)
    }
    /// The number, if it fits 64 bits.
    pub fn as_u64(&self) -> Option<u64> {
        match *self.0.as_slice() {
            [] => Some(0),
            [a] => Some(a.into()),
            [a, b] => Some(u64::from(a) | u64::from(b) << 32),
            _ => None,
        }
    }
    /// Adds a number.
    pub fn add(&mut self, other: &Natural) {
        let mut carry = 0u64;
        for i in 0..self.0.len().max(other.0.len()) {
            if i == self.0.len() {
                self.0.push(0);
            }
            let sum = u64::from(self.0[i]) + u64::from(other.0.get(i).copied().unwrap_or(0)) + carry;
            self.0[i] = sum as u32;
            carry = sum >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }
    /// Subtracts a number that is not greater.
    pub fn subtract(&mut self, other: &Natural) {
        debug_assert!(*self >= *other);
        let mut borrow = 0i64;
        for i in 0..self.0.len() {
            let mut difference =
                i64::from(self.0[i]) - i64::from(other.0.get(i).copied().unwrap_or(0)) - borrow;
            borrow = i64::from(difference < 0);
            difference += borrow << 32;
            self.0[i] = difference as u32;
        }
        self.trim();
    }
    /// The product.
    pub fn times(&self, other: &Natural) -> Natural {
        if self.is_one() {
            return other.clone();
        }
        let mut digits = vec![0u32; self.0.len() + other.0.len()];
        for (i, &a) in self.0.iter().enumerate() {
            let mut carry = 0u64;
            for (j, &b) in other.0.iter().enumerate() {
                let sum = u64::from(a) * u64::from(b) + u64::from(digits[i + j]) + carry;
                digits[i + j] = sum as u32;
                carry = sum >> 32;
            }
            digits[i + other.0.len()] = carry as u32;
        }
        let mut product = Natural(digits);
        product.trim();
        product
    }
    /// Quotient and rest of a division by a small number that is not 0.
    pub fn divided(&self, divisor: u32) -> (Natural, u32) {
        let mut digits = self.0.clone();
        let mut rest = 0u64;
        for digit in digits.iter_mut().rev() {
            let value = rest << 32 | u64::from(*digit);
            *digit = (value / u64::from(divisor)) as u32;
            rest = value % u64::from(divisor);
        }
        let mut quotient = Natural(digits);
        quotient.trim();
        (quotient, rest as u32)
    }
    /// Quotient and rest of a division by a number that is not 0, bit by bit.
    pub fn divide(&self, divisor: &Natural) -> (Natural, Natural) {
        let (mut quotient, mut rest) = (Natural(vec![0; self.0.len()]), Natural::zero());
        for bit in (0..32 * self.0.len()).rev() {
            let copy = rest.clone();
            rest.add(&copy);
            if self.0[bit / 32] >> (bit % 32) & 1 == 1 {
                rest.add(&Natural::one());
            }
            if rest >= *divisor {
                rest.subtract(divisor);
                quotient.0[bit / 32] |= 1 << (bit % 32);
            }
        }
        quotient.trim();
        (quotient, rest)
    }
    /// A number below this one, which is not 0, each with the same probability.
    pub fn random_below(&self, rng: &mut Rng) -> Natural {
        let top = self.0.last().map_or(0, |d| u32::MAX >> d.leading_zeros());
        loop {
            let mut digits: Vec<u32> = self.0.iter().map(|_| rng.next_u64() as u32).collect();
            if let Some(last) = digits.last_mut() {
                *last &= top;
            }
            let mut candidate = Natural(digits);
            candidate.trim();
            if candidate < *self {
                return candidate;
            }
        }
    }
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

impl From<u64> for Natural {
    fn from(n: u64) -> Self {
        let mut natural = Natural(vec![n as u32, (n >> 32) as u32]);
        natural.trim();
        natural
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const GROUP: u32 = 1_000_000_000;
        let mut groups = Vec::new();
        let mut rest = self.clone();
        while !rest.is_zero() {
            let (quotient, digits) = rest.divided(GROUP);
            groups.push(digits);
            rest = quotient;
        }
        let mut text = groups.pop().unwrap_or(0).to_string();
        for digits in groups.iter().rev() {
            text.push_str(&format!("{digits:09}"));
        }
        f.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_agrees_with_128_bits() {
        let mut rng = Rng::new(7);
        let of = |n: u128| {
            let mut natural = Natural::from((n >> 64) as u64).times(&Natural::power_of_two(64));
            natural.add(&Natural::from(n as u64));
            natural
        };
        for _ in 0..300 {
            let (shift_a, shift_b) = (rng.below(64), rng.below(64));
            let (a, b) = (u128::from(rng.next_u64() >> shift_a), u128::from(rng.next_u64() >> shift_b) + 1);
            let (x, y) = (of(a), of(b));
            assert_eq!(x.times(&y).to_string(), (a * b).to_string());
            let mut sum = x.clone();
            sum.add(&y);
            assert_eq!(sum.to_string(), (a + b).to_string());
            sum.subtract(&x);
            assert_eq!(sum, y);
            assert_eq!(x.cmp(&y), a.cmp(&b));
            let product = of(a * b + a % b);
            assert_eq!(product.divide(&y), (x.clone(), of(a % b)));
            assert!(y.random_below(&mut rng) < y);
        }
        assert_eq!(Natural::zero().to_string(), "0");
        assert_eq!(Natural::power_of_two(100).to_string(), "1267650600228229401496703205376");
        assert_eq!(Natural::from(u64::MAX).as_u64(), Some(u64::MAX));
    }
}
