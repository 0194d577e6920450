//! Functions of clingo.h that are not supported: each sets an error that says so.
//!
//! Invariant: none reads its arguments or writes results, so that callers only see the error.

use crate::error::{Fail, set};

/// Sets the error of a function that is not supported.
pub fn refuse(name: &str) {
    set(Fail::runtime(format!("{name} is not served by asp")));
}

/// The result of a function that is not supported.
pub trait Failed {
    /// The value that means failure, or nothing.
    const FAILED: Self;
}

macro_rules! failed {
    ($($type:ty: $value:expr),* $(,)?) => {
        $(impl Failed for $type { const FAILED: Self = $value; })*
    };
}

failed!(bool: false, (): (), u32: 0, usize: 0, i32: 0);

impl<T> Failed for *const T {
    const FAILED: Self = std::ptr::null();
}

/// Functions that are not supported. In C's calling convention a function may ignore its arguments.
macro_rules! unserved {
    ($($name:ident: $result:ty),* $(,)?) => {
        $(
            #[doc = concat!("Not served: leaves an error. See `", stringify!($name), "` in clingo.h.")]
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> $result {
                $crate::unserved::refuse(stringify!($name));
                <$result as $crate::unserved::Failed>::FAILED
            }
        )*
    };
}
pub(crate) use unserved;
