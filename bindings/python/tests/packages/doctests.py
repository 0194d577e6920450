"""The examples in the documentation of modules: what each prints, whatever stands there."""

import doctest
import importlib
import sys


class Printer(doctest.DocTestRunner):
    def report_start(self, out, test, example):
        pass

    def report_success(self, out, test, example, got):
        out(f">>> {example.source}{got}")

    report_failure = report_success

    def report_unexpected_exception(self, out, test, example, exc_info):
        out(f">>> {example.source}{exc_info[0].__name__}: {exc_info[1]}\n")


for name in sys.argv[1:]:
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        Printer(verbose=False).run(test)
