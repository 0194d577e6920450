"""A wheel that carries the module `_clingo` and asp's libclingo, and nothing else.

    cargo build --release -p asp-clingo
    pip install ./bindings/python

The library is what cargo has built last, or what ASP_LIBCLINGO names. The wheel is one for all versions of Python.
"""

import os
import pathlib
import shutil
import sys

import setuptools
from setuptools.command.build_ext import build_ext

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import install  # noqa: E402


class Build(build_ext):
    """What setuptools builds is what install.py builds."""

    def build_extension(self, extension):
        import clingo

        folder = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy2(install.find_library(os.environ.get("ASP_LIBCLINGO")), folder / install.LIBRARY)
        install.build(pathlib.Path(clingo.__file__).parent, folder)

    def get_outputs(self):
        folder = pathlib.Path(self.build_lib)
        return [str(folder / install.MODULE), str(folder / install.LIBRARY)]

    def copy_extensions_to_source(self):
        sys.exit("there is no editable install: pip install ./bindings/python")


setuptools.setup(
    ext_modules=[setuptools.Extension("_clingo", [], py_limited_api=True)],
    cmdclass={"build_ext": Build},
    options={"bdist_wheel": {"py_limited_api": "cp38"}},
)
