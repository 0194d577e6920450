"""Facts and answers by column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from ._asp import Columns, Model
from ._errors import UsageError

if TYPE_CHECKING:
    import numpy
    import pandas

Predicate = Union[str, tuple[str, int]]
"""A predicate: ``name``, ``-name``, ``name/arity``, or a name and an arity."""


def table(
    models: Iterable[Model], predicate: Predicate, names: Optional[Sequence[str]] = None
) -> Columns:
    """The atoms of a predicate in several models by column; the first column, ``model``, has the numbers of the models.

    >>> import asp
    >>> models = asp.Control("1 { p(1..2) } 1.").solve()
    >>> sorted(asp.table(models, "p", ["n"]).rows())
    [(1, 2), (2, 1)]
    """
    return Columns._of(list(models), predicate, None if names is None else list(names), True)


def of_model(model: Model, predicate: Predicate, names: Optional[Sequence[str]]) -> Columns:
    return Columns._of([model], predicate, None if names is None else list(names), False)


def to_numpy(columns: Columns) -> dict[str, "numpy.ndarray[Any, Any]"]:
    import numpy

    arrays: dict[str, numpy.ndarray[Any, Any]] = {}
    for place, name in enumerate(columns.names):
        numbers = columns._numbers(place)
        if numbers is not None:
            arrays[name] = numpy.frombuffer(numbers, dtype=numpy.int64)
        else:
            arrays[name] = numpy.empty(len(columns), dtype=object)
            arrays[name][:] = columns[place]
    return arrays


def to_pandas(columns: Columns) -> "pandas.DataFrame":
    import pandas

    return pandas.DataFrame(to_numpy(columns))


def columns_of(data: Any, names: Optional[Sequence[str]]) -> Any:
    """What facts are made of: something that offers Arrow's tables, or a list of columns."""
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        if type(data).__module__.startswith("pandas"):
            return _of_pandas(data, names)
        return data
    if isinstance(data, Mapping):
        if missing := [name for name in names or () if name not in data]:
            raise UsageError(f"the table has no column `{missing[0]}`")
        return [_column(name, data[name]) for name in (data if names is None else names)]
    dtype = getattr(data, "dtype", None)
    if dtype is not None:
        if dtype.names:
            return [_column(name, data[name]) for name in (names or dtype.names)]
        if data.ndim != 2:
            raise UsageError(f"an array of {data.ndim} dimensions is no table; facts are the rows of one with 2")
        return [_column(place, data[:, place]) for place in range(data.shape[1])]
    if not isinstance(data, Iterable):
        raise TypeError(f"{data!r} is no table: columns by their names, rows, a DataFrame, an array or an Arrow table are")
    rows = list(data)
    if rows and all(isinstance(row, Mapping) for row in rows):
        return [_cells(rows, name) for name in names_of(rows, names)]
    if any(isinstance(row, str) or not isinstance(row, Iterable) for row in rows):
        raise UsageError("rows of a table are tuples; one column is [(1,), (2,)]")
    rows = [tuple(row) for row in rows]
    for place, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise UsageError(
                f"the rows are of different lengths: row {place} is {row!r}, of length {len(row)}; the first is {rows[0]!r}"
            )
    return [list(column) for column in zip(*rows)]


def _cells(rows: list[Mapping[Any, Any]], name: Any) -> list[Any]:
    """A column of rows that are mappings."""
    for place, row in enumerate(rows):
        if name not in row:
            raise UsageError(f"row {place} has no column `{name}`: it is {dict(row)!r}")
        if other := next((key for key in row if key not in rows[0]), None):
            raise UsageError(f"row {place} has a column `{other}` that the first row has not: {dict(rows[0])!r}")
    return [row[name] for row in rows]


def names_of(data: Any, names: Optional[Sequence[str]]) -> list[Any]:
    """The names of the columns that are taken of a table, as far as it has some."""
    if names is not None:
        return list(names)
    if isinstance(data, Mapping):
        return list(data)
    if hasattr(data, "columns"):
        return list(data.columns)
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], Mapping):
        return list(data[0])
    dtype = getattr(data, "dtype", None)
    return list(dtype.names or ()) if dtype is not None else []


def _of_pandas(data: Any, names: Optional[Sequence[str]]) -> Any:
    # Without pyarrow, and for columns of whatever pandas has that Arrow has not.
    if not hasattr(data, "columns"):
        return [_column(data.name, data)]
    if names is None:
        # Several columns may have one name.
        return [_column(name, data.iloc[:, place]) for place, name in enumerate(data.columns)]
    for name in names:
        if (count := list(data.columns).count(name)) != 1:
            raise UsageError(f"the table has {count or 'no'} column{'s' * (count > 1)} `{name}`")
    return [_column(name, data[name]) for name in names]


def _column(name: object, values: Any) -> Any:
    """A column as 64-bit numbers in one piece if it is one of numbers, else as a list."""
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise UsageError(f"column `{name}` is {values!r}; a column is a list of values, as in [{values!r}]")
    given = values
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    dtype = getattr(values, "dtype", None)
    if dtype is None:
        return values if isinstance(values, (list, tuple)) else list(values)
    if dtype.kind == "u" and dtype.itemsize == 8 and len(values) and int(values.max()) >= 2**63:
        raise UsageError(f"column `{name}`: {values.max()} does not fit 64 bits")
    if dtype.kind in "iu":
        import numpy

        return numpy.ascontiguousarray(values, dtype=numpy.int64)
    if dtype.kind == "f" and len(values):
        import numpy

        if (missing := numpy.isnan(values)).any():
            raise _missing(name, missing)
        wrong = (values != numpy.floor(values)) | (abs(values) > 2**53)
        if wrong.any():
            place = int(wrong.argmax())
            raise UsageError(
                f"column `{name}`, row {place}: {values[place]} is no whole number; round or scale it first, as in "
                "(100 * column).round()"
            )
        return numpy.ascontiguousarray(values, dtype=numpy.int64)
    if dtype.kind in "OUT":
        return values.tolist()
    if len(values) == 0:
        return []
    if hasattr(given, "isna") and (missing := given.isna()).any():
        raise _missing(name, missing.to_numpy())
    advice = {
        "b": "; write 0 and 1: column.astype(int)",
        "M": "; write texts, column.dt.strftime('%Y-%m-%d'), or days, (column - column.min()).dt.days",
        "m": "; write numbers: column.dt.days",
    }.get(dtype.kind, "")
    raise UsageError(f"column `{name}`: values of type {dtype} are no terms; terms are whole numbers and texts{advice}")


def _missing(name: object, missing: Any) -> UsageError:
    place = int(missing.argmax())
    return UsageError(f"column `{name}`, row {place}: a missing value is not a term; leave these rows out first")
