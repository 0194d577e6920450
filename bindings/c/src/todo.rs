//! What is still to come.

use std::ffi::{c_int, c_void};

use crate::unserved::unserved;

unserved! {
    clingo_configuration_root: bool,
    clingo_configuration_type: bool,
    clingo_configuration_description: bool,
    clingo_configuration_array_size: bool,
    clingo_configuration_array_at: bool,
    clingo_configuration_map_size: bool,
    clingo_configuration_map_has_subkey: bool,
    clingo_configuration_map_subkey_name: bool,
    clingo_configuration_map_at: bool,
    clingo_configuration_value_is_assigned: bool,
    clingo_configuration_value_get_size: bool,
    clingo_configuration_value_get: bool,
    clingo_configuration_value_set: bool,
    clingo_statistics_root: bool,
    clingo_statistics_type: bool,
    clingo_statistics_array_size: bool,
    clingo_statistics_array_at: bool,
    clingo_statistics_array_push: bool,
    clingo_statistics_map_size: bool,
    clingo_statistics_map_has_subkey: bool,
    clingo_statistics_map_subkey_name: bool,
    clingo_statistics_map_at: bool,
    clingo_statistics_map_add_subkey: bool,
    clingo_statistics_value_get: bool,
    clingo_statistics_value_set: bool,
    clingo_solve_control_add_clause: bool,
    clingo_control_register_propagator: bool,
    clingo_control_statistics: bool,
    clingo_control_configuration: bool,
    clingo_control_register_observer: bool,
    clingo_control_register_backend: bool,
    clingo_options_add: bool,
    clingo_options_add_flag: bool,
    clingo_main: c_int,
    clingo_register_script: bool,
    clingo_script_version: *const c_void,
}
