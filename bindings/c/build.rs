//! Compiles the one C file, and sets the name by which programs linked against libclingo find the library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/ast/make.c");
    cc::Build::new().file("src/ast/make.c").warnings(true).compile("asp_ast_make");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libclingo.so.4");
    }
}
