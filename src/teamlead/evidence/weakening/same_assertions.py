"""Assertions of Python that say the same in other words: `self.assertIn(a, b)` is `assert a in b`."""

import ast

from teamlead.evidence.sources.statements import parsed

_COMPARED: dict[str, type[ast.cmpop]] = {
    **dict.fromkeys(("assertEqual", "assertEquals", "assertDictEqual", "assertListEqual"), ast.Eq),
    **dict.fromkeys(
        ("assertTupleEqual", "assertSetEqual", "assertSequenceEqual", "assertMultiLineEqual"), ast.Eq
    ),
    "assertNotEqual": ast.NotEq,
    "assertIs": ast.Is,
    "assertIsNot": ast.IsNot,
    "assertIn": ast.In,
    "assertNotIn": ast.NotIn,
    "assertGreater": ast.Gt,
    "assertGreaterEqual": ast.GtE,
    "assertLess": ast.Lt,
    "assertLessEqual": ast.LtE,
}
"""Of two values."""
_NONE = {"assertIsNone": ast.Is, "assertIsNotNone": ast.IsNot}
_SYMMETRIC = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


def meaning(text: str) -> str:
    """Equal for assertions that fail for the same; the text itself, where it is not known what it says."""
    tree = parsed(text)
    if tree is None or len(tree.body) != 1:
        return text
    (statement,) = tree.body
    if isinstance(statement, ast.Assert):
        return _shown(statement.test)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        tested = _tested(statement.value)
        return _shown(tested) if tested else text
    return text


def _tested(call: ast.Call) -> ast.expr | None:
    """What `assert` would be given for this call."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    match call.args:
        case [one, other, *_] if name in _COMPARED:
            return ast.Compare(one, [_COMPARED[name]()], [other])
        case [one, *_] if name in _NONE:
            return ast.Compare(one, [_NONE[name]()], [ast.Constant(None)])
        case [one, *_] if name == "assertTrue":
            return one
        case [one, *_] if name == "assertFalse":
            return ast.UnaryOp(ast.Not(), one)
        case [one, other, *_] if name in {"assertIsInstance", "assertNotIsInstance"}:
            is_one = ast.Call(ast.Name("isinstance", ast.Load()), [one, other], [])
            return ast.UnaryOp(ast.Not(), is_one) if "Not" in name else is_one
        case [one, other, *_] if name in {"assertRegex", "assertNotRegex"}:
            search = ast.Attribute(ast.Name("re", ast.Load()), "search", ast.Load())
            found = ast.Call(search, [other, one], [])
            return ast.UnaryOp(ast.Not(), found) if "Not" in name else found
        case [one, other, *_] if name == "assertCountEqual":
            return ast.Compare(_sorted(one), [ast.Eq()], [_sorted(other)])
        case [one, other] if name == "assertAlmostEqual" and not call.keywords:
            approx = ast.Attribute(ast.Name("pytest", ast.Load()), "approx", ast.Load())
            return ast.Compare(one, [ast.Eq()], [ast.Call(approx, [other], [])])
    return None


def _sorted(value: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("sorted", ast.Load()), [value], [])


def _shown(tested: ast.expr) -> str:
    """With the two sides in one order, where the order says nothing."""
    if isinstance(tested, ast.Compare) and len(tested.ops) == 1:
        sides = [ast.dump(tested.left), ast.dump(tested.comparators[0])]
        operator = tested.ops[0]
        return f"{type(operator).__name__} {sorted(sides) if isinstance(operator, _SYMMETRIC) else sides}"
    return ast.dump(tested)
