"""The examples in the documentation of modules: what each prints, up to the first one that raises an exception."""

import doctest
import importlib
import sys


class Printer(doctest.DocTestRunner):
    stopped = False

    def report_start(self, out, test, example):
        pass

    def report_success(self, out, test, example, got):
        if not self.stopped:
            out(f">>> {example.source}{got}")

    report_failure = report_success

    def report_unexpected_exception(self, out, test, example, exc_info):
        self.report_success(out, test, example, f"{exc_info[0].__name__}\n")
        self.stopped = True


for name in sys.argv[1:]:
    for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
        Printer(verbose=False).run(test)
