//! The `asp` binary: the command line's outcome to an exit code.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let argv: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let code = asp::cli::main(&argv);
    // No destructors: tearing large programs down costs time and gives nothing back.
    std::process::exit(i32::from(code));
}
