"""Compares syntax trees of clingo with those of this library, for random programs.

    python compare.py --clingo PYTHON --ours PYTHON [--path DIRECTORY] [--seed N] [--count N]

Both are Python interpreters with the package `clingo`; DIRECTORY is put on the second one's path, for its module `_clingo`.
Statements, attributes, places, pools, order and a second parse are compared. A difference prints the program's seed.
"""

import argparse
import os
import subprocess
import sys


def dump(seed, count):
    from clingo import ast
    from programs import Generator

    def place(location):
        begin, end = location.begin, location.end
        name = begin.filename if begin.filename == end.filename else f"{begin.filename} {end.filename}"
        return f"{name}:{begin.line}:{begin.column}-{end.line}:{end.column}"

    def tree(value):
        if isinstance(value, ast.AST):
            return f"{value.ast_type.name}({', '.join(f'{k}={tree(v)}' for k, v in value.items())})"
        if isinstance(value, ast.Location):
            return place(value)
        if isinstance(value, ast.ASTSequence):
            return f"[{', '.join(map(tree, value))}]"
        return repr(list(value) if isinstance(value, ast.StrSequence) else value)

    def nodes(root):
        todo = [root]
        while todo:
            node = todo.pop()
            yield node
            for key in node.child_keys:
                value = getattr(node, key)
                todo += [value] if isinstance(value, ast.AST) else list(value or [])

    def parse(text, where):
        found = []
        try:
            ast.parse_string(text, found.append, logger=lambda *_: None)
        except RuntimeError:
            print(where, "error")
        return found

    def alternatives(node, other, condition):
        # Pools of pools are skipped: there are too many.
        if sum(n.ast_type == ast.ASTType.Pool for n in nodes(node)) > 5:
            return "many"
        return " || ".join(map(str, node.unpool(other, condition)))

    for number in range(seed, seed + count):
        statements = parse(Generator(number).program(), number)
        for i, s in enumerate(statements):
            print(number, i, "text", repr(str(s)))
            print(number, i, "tree", tree(s))
            for node in nodes(s):
                print(number, i, "node", node.ast_type.name, repr(str(node)))
                if node.ast_type == ast.ASTType.ConditionalLiteral:
                    print(number, i, "conditions", repr(alternatives(node, False, True)))
                    print(number, i, "others", repr(alternatives(node, True, False)))
            print(number, i, "unpooled", repr(alternatives(s, True, True)))
            again = parse(str(s), (number, i, "again"))[-1:]
            print(number, i, "again", [str(a) for a in again])
            print(number, i, "equal", [a == s and hash(a) == hash(s) for a in again])
            print(number, i, "order", [(s < t, s == t, s > t) for t in statements])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clingo", default=sys.executable)
    parser.add_argument("--ours", default=sys.executable)
    parser.add_argument("--path")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--dump", action="store_true")
    options = parser.parse_args()
    if options.dump:
        dump(options.seed, options.count)
        return 0
    ours = dict(os.environ, PYTHONPATH=options.path) if options.path else None
    if subprocess.run([options.ours, "-c", "import _clingo"], env=ours, stderr=subprocess.DEVNULL).returncode:
        print(f"{options.ours} runs on clingo's own library")
        return 1
    outputs = []
    for python, path in ((options.clingo, None), (options.ours, options.path)):
        env = dict(os.environ, PYTHONPATH=path) if path else dict(os.environ)
        arguments = ["--dump", "--seed", str(options.seed), "--count", str(options.count)]
        run = subprocess.run([python, __file__, *arguments], env=env, stdout=subprocess.PIPE, text=True)
        if run.returncode != 0:
            print(f"{python} failed with {run.returncode}")
            return 1
        outputs.append({})
        for line in run.stdout.splitlines():
            outputs[-1].setdefault(line.split(" ", 1)[0], []).append(line)
    theirs, ours = outputs
    wrong = 0
    for number in theirs.keys() | ours.keys():
        pairs = zip(theirs.get(number, []) + [None], ours.get(number, []) + [None])
        first = next((pair for pair in pairs if pair[0] != pair[1]), None)
        if first:
            wrong += 1
            if wrong <= 10:
                from programs import Generator

                print(f"seed {number}: {Generator(int(number)).program()!r:.1000}")
                print(f"  clingo: {str(first[0]):.600}\n  ours:   {str(first[1]):.600}")
    lines = sum(map(len, theirs.values()))
    print(f"{options.count} programs, {lines} lines compared, {wrong} programs differ")
    return int(wrong > 0 or lines == 0)


if __name__ == "__main__":
    sys.exit(main())
