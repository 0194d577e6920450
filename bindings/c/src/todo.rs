//! What is still to come.

use std::ffi::c_int;

use crate::unserved::unserved;

unserved! {
    clingo_control_register_propagator: bool,
    clingo_options_add: bool,
    clingo_options_add_flag: bool,
    clingo_main: c_int,
}
