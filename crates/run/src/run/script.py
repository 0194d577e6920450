# A run with scripts: Python's package clingo on asp's library, as the binary would do it.
import os
import signal
import sys

from clingo._internal import _ffi, _lib
from clingo.script import enable_python

# The library looks after signals.
signal.signal(signal.SIGINT, signal.SIG_DFL)
enable_python()
null = _ffi.NULL
application = _ffi.new("clingo_application_t*", (null,) * 8)
sys.argv[0] = "asp"
arguments = [_ffi.new("char[]", os.fsencode(argument)) for argument in sys.argv[1:]]
code = _lib.clingo_main(application, arguments, len(arguments), null)
sys.stdout.flush()
os._exit(code & 0xFF)
