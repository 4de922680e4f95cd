"""Changes the service in one place, as stock mutation tools do.

    python3 mutate.py FOLDER      lists the places as JSON
    python3 mutate.py FOLDER N    changes the place of that number
"""

import ast
import json
import pathlib
import sys

# Beside the service: its ways, its data and its flags.
LEFT_OUT = {"__main__.py", "settings.py", "world.py"}

SWAPS = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
}


def changed_constant(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str) and value:
        return f"XX{value}XX"
    return None


def of_ways(tree):
    """All that only happens in a way that is not taken."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp)):
            calls = [each.func for each in ast.walk(node.test) if isinstance(each, ast.Call)]
            if any(isinstance(each, ast.Attribute) and each.attr == "way" for each in calls):
                bodies = node.body if isinstance(node.body, list) else [node.body]
                for each in [node.test, *bodies]:
                    yield from ast.walk(each)


def places(tree):
    """Every place, as its line, what becomes of it, and a function that changes it."""
    dead = {id(each) for each in of_ways(tree)}
    texts = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in dead:
            continue
        if isinstance(node, ast.Compare):
            for at, op in enumerate(node.ops):
                if type(op) in SWAPS:
                    other = SWAPS[type(op)]()
                    yield node.lineno, type(other).__name__, lambda: node.ops.__setitem__(at, other)
        elif isinstance(node, (ast.BoolOp, ast.BinOp)) and type(node.op) in SWAPS:
            other = SWAPS[type(node.op)]()
            yield node.lineno, type(other).__name__, lambda: setattr(node, "op", other)
        elif isinstance(node, ast.If):
            negated = ast.UnaryOp(ast.Not(), node.test)
            yield node.lineno, "if not", lambda: setattr(node, "test", negated)
        elif isinstance(node, ast.Return) and node.value is not None:
            yield node.lineno, "return None", lambda: setattr(node, "value", ast.Constant(None))
        elif isinstance(node, ast.Constant) and id(node) not in texts:
            value = changed_constant(node.value)
            if value is not None:
                yield node.lineno, repr(value), lambda: setattr(node, "value", value)


def main(folder, number=None):
    found = []
    for file in sorted(pathlib.Path(folder).rglob("*.py")):
        if file.name in LEFT_OUT:
            continue
        tree = ast.parse(file.read_text())
        for line, what, change in places(tree):
            if len(found) == number:
                change()
                file.write_text(ast.unparse(ast.fix_missing_locations(tree)))
                return
            found.append(f"{file.relative_to(folder)}:{line}: {what}")
    print(json.dumps(found))


main(sys.argv[1], *map(int, sys.argv[2:]))
