"""The examples in a package's own description, as pip has installed it: `readme.py PACKAGE LANGUAGE NUMBER` prints or runs one."""

import importlib.metadata
import re
import sys


def blocks(package, language):
    text = importlib.metadata.metadata(package).get_payload()
    return re.findall(r"^```%s\n(.*?)^```" % language, text, re.S | re.M)


if __name__ == "__main__":
    package, language, number = sys.argv[1:4]
    text = blocks(package, language)[int(number)]
    if language == "python":
        exec(compile(text, f"example {number} of {package}", "exec"), {"__name__": "__main__"})
    else:
        print(text)
