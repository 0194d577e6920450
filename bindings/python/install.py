#!/usr/bin/env python3
"""Puts the package `clingo` of a virtual environment on asp.

    python bindings/python/install.py VENV [--library target/release/libclingo.so]
    python bindings/python/install.py VENV --remove
    python bindings/python/install.py --beside target/release/asp

The package itself stays as pip has installed it: before it loads its own library it looks for a module `_clingo`, and this
puts one beside it, with our libclingo.so. With `--beside` it is put beside a binary, where `asp python` and scripts in programs
find it, and no environment is changed. What is built is read from the package's clingo.h; nothing of it is kept here. It
needs a C compiler, and in the environment the packages clingo and cffi.
"""

import argparse
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIBRARY = "libclingo.so.4"
MODULE = "_clingo.abi3.so"
MARKER = "char const *asp_version(void);"
# Extension modules of other packages (clingcon, clingo-dl) look for the library's functions among those that all may see,
# in whatever order modules are imported.
SHOW = """
#include <dlfcn.h>
__attribute__((constructor)) static void asp_show(void) { dlopen("%s", RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD); }
"""

# Functions of Python that the library calls: those named after a member of a struct, a type, or another one of them.
MEMBERS = {
    "clingo_application": "pyclingo_application_",
    "clingo_script": "pyclingo_script_",
    "clingo_propagator": "pyclingo_propagator_",
    "clingo_ground_program_observer": "pyclingo_observer_",
}
TYPES = {
    "clingo_logger_t": "pyclingo_logger_callback",
    "clingo_ground_callback_t": "pyclingo_ground_callback",
    "clingo_solve_event_callback_t": "pyclingo_solve_event_callback",
    "clingo_ast_callback_t": "pyclingo_ast_callback",
}
RENAMED = {"pyclingo_application_printer": "pyclingo_application_print_model"}
EMBEDDED = {
    f"pyclingo_script_{name}": f"pyclingo_{name}" for name in ("execute", "call", "callable", "main")
}


def declarations(header):
    """The declarations of a header, without comments and what only a compiler reads."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", header, flags=re.S)
    text = re.sub(r"\\\n", " ", text)
    text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    text = re.sub(r"\bCLINGO_(VISIBILITY_DEFAULT|DEPRECATED)\b", "", text)
    text = re.sub(r'extern\s+"C"\s*\{', "", text)
    text = re.sub(r"\}\s*$", "", text)
    return re.sub(r"=\s*clingo_\w+", "= ...", text)


def callbacks(text):
    """Functions of Python's with their types."""
    pointer = re.compile(r"typedef\s+([\w\s*]+?)\(\s*\*\s*(\w+)\s*\)\s*\(([^;]*)\)\s*;", re.S)
    types = {name: (result.strip(), arguments) for result, name, arguments in pointer.findall(text)}
    found = {TYPES[name]: signature for name, signature in types.items() if name in TYPES}
    for struct, prefix in MEMBERS.items():
        body = re.search(r"typedef struct %s\s*\{(.*?)\}\s*%s_t\s*;" % (struct, struct), text, re.S).group(1)
        member = re.compile(r"([\w\s*]+?)\(\s*\*\s*(\w+)\s*\)\s*\(([^;]*)\)\s*;", re.S)
        for result, name, arguments in member.findall(body):
            found[prefix + name] = (result.strip(), arguments)
        for name, field in re.findall(r"(\w+)\s+(\w+)\s*;", body):
            if name in types:
                found[prefix + field] = types[name]
    found["pyclingo_application_options_parse"] = ("bool", "char const *value, void *data")
    for old, new in RENAMED.items():
        found[new] = found.pop(old)
    for old, new in EMBEDDED.items():
        result, arguments = found[old]
        found[new] = (result, re.sub(r"^\s*clingo_\w+ (const )?\*", "void *", arguments))
    return "".join(f"{result} {name}({arguments});\n" for name, (result, arguments) in sorted(found.items()))


def build(package, folder):
    """Builds the extension module into a folder. Runs inside the environment."""
    import cffi

    header = pathlib.Path(package, "clingo.h").read_text(encoding="utf-8")
    text = declarations(header)
    ffi = cffi.FFI()
    ffi.cdef(text + MARKER + '\nextern "Python" {\n' + callbacks(text) + "}\n")
    ffi.set_source("_clingo", f'#include "clingo.h"\n{MARKER}\n{SHOW % LIBRARY}')
    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work, "_clingo.c")
        ffi.emit_c_code(str(source))
        module = pathlib.Path(folder, MODULE)
        compiler = shlex.split(os.environ.get("CC", "cc"))
        command = [*compiler, "-shared", "-fPIC", "-O2", "-w", str(source), "-o", str(module)]
        command += ["-I", str(package), "-I", sysconfig.get_path("include")]
        # Debian's headers of Python lie where only its own compiler looks; those of an old C library come before them.
        command += ["-idirafter", "/usr/include", str(pathlib.Path(folder, LIBRARY)), "-Wl,-rpath,$ORIGIN", "-ldl"]
        subprocess.run(command, check=True)
    return module


def find_library(given):
    """Our libclingo.so, the newest that cargo has built."""
    if given:
        return pathlib.Path(given)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [path for path in target.glob("*/libclingo.so") if path.is_file()]
    if not built:
        sys.exit("there is no libclingo.so: run `cargo build --release -p asp-clingo` first")
    return max(built, key=lambda path: path.stat().st_mtime)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("venv", nargs="?", help="a virtual environment with the package clingo")
    parser.add_argument("--beside", metavar="BINARY", help="put it beside this binary, in a folder `python`")
    parser.add_argument("--library", help="our libclingo.so (default: what cargo has built last)")
    parser.add_argument("--remove", action="store_true", help="undo it: clingo runs on its own library again")
    parser.add_argument("--inside", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        print(build(*arguments.inside))
        return
    if arguments.beside:
        folder = pathlib.Path(arguments.beside).resolve().parent / "python"
        shutil.rmtree(folder, ignore_errors=True)
        if not arguments.remove:
            folder.mkdir()
            shutil.copy2(find_library(arguments.library), folder / LIBRARY)
            spec = importlib.util.find_spec("clingo")
            if spec is None:
                sys.exit(f"{sys.executable} has no package clingo: {sys.executable} -m pip install clingo==5.8.3")
            print(build(spec.submodule_search_locations[0], folder))
        return
    if arguments.venv is None:
        parser.error("which environment?")
    # It is used in other folders, too; links in it stay as they are.
    arguments.venv = os.path.abspath(arguments.venv)
    python = next((p for p in (pathlib.Path(arguments.venv, "bin", n) for n in ("python", "python3")) if p.exists()), None)
    if python is None:
        sys.exit(f"{arguments.venv} is no virtual environment")
    ask = "import importlib.util as u, sysconfig; s = u.find_spec('clingo'); print(s and s.submodule_search_locations[0]); print(sysconfig.get_path('platlib'))"
    answer = subprocess.run([python, "-c", ask], check=True, capture_output=True, text=True, cwd="/").stdout
    package, folder = answer.splitlines()
    if package == "None":
        sys.exit(f"{arguments.venv} has no package clingo: {python} -m pip install clingo==5.8.3")
    ours = [*pathlib.Path(folder).glob("_clingo.*so"), pathlib.Path(folder, LIBRARY)]
    for path in ours:
        path.unlink(missing_ok=True)
    if arguments.remove:
        return
    shutil.copy2(find_library(arguments.library), pathlib.Path(folder, LIBRARY))
    subprocess.run([python, __file__, arguments.venv, "--inside", package, folder], check=True)
    check = "import _clingo, clingo; print('clingo', clingo.__version__, 'on asp', _clingo.ffi.string(_clingo.lib.asp_version()).decode())"
    subprocess.run([python, "-c", check], check=True, cwd="/")


if __name__ == "__main__":
    main()
