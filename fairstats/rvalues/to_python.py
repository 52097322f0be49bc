"""What R's values are in Python: the one table of types, read from R's side.

================================  =====================================================================
R                                 Python
================================  =====================================================================
NULL                              None
logical, integer                  bool, int32 arrays; with NA pandas' ``boolean`` and ``Int32`` arrays
double                            float64 array; NA and NaN stay different bits
integer64 (package bit64)         int64 array; with NA pandas' ``Int64`` array
character                         object array of str, NA as None; in a frame pandas' ``str`` column
factor, ordered                   Categorical (all levels, used or not), ordered or not
Date                              ``datetime64[s]``, midnight
POSIXct                           ``datetime64[ns, zone]``, an instant
raw                               bytes
one value without names           the Python scalar, unless it is missing
matrix                            2-D array; with dimnames or NA a frame marked ``attrs["r_class"] = "matrix"``
dgCMatrix                         scipy's ``csc_array``
data.frame, tibble                DataFrame; row names that are not automatic become the index
list                              dict if all entries are named, list if none is
named vector                      Series
================================  =====================================================================

Anything else is refused with its class. Attributes beyond those above (``label``, ``contrasts``...) are left behind.
"""

from __future__ import annotations

import datetime
import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.errors import ConversionError, FairstatsWarning, listing
from fairstats.rvalues.from_vector import PLAIN, array_of, refuse
from fairstats.rvalues.values import NA_INTEGER, Atom, Foreign, Items, Null, Record, Sparse, Value, classes, strings

if TYPE_CHECKING:
    import pandas as pd

FRAMES = {("data.frame",): "data.frame", ("tbl_df", "tbl", "data.frame"): "tbl_df"}


def to_python(value: Value, where: str = "value") -> Any:
    """The Python counterpart of an R value, as the table above says."""
    if isinstance(value, Null):
        return None
    if isinstance(value, Foreign):
        refuse(where, value.classes or (value.kind,), value.kind)
    if isinstance(value, Sparse):
        return _sparse(value, where)
    if isinstance(value, Items):
        return _items(value, where)
    return _atom(value, where)


def _items(value: Items, where: str) -> Any:
    kinds = classes(value)
    if kinds in FRAMES:
        return _frame(value, FRAMES[kinds], where)
    if "fairstats" in kinds:
        return Record(kinds, _dictionary(value, where))
    if kinds:
        refuse(where, kinds)
    if "names" not in value.attributes:
        return [to_python(v, f"{where}[[{i + 1}]]") for i, v in enumerate(value.values)]
    return _dictionary(value, where)


def _dictionary(value: Items, where: str) -> dict[str, Any]:
    names = strings(value.attributes.get("names")) or []
    if len(set(names)) < len(names) or not all(names) or len(names) != len(value.values):
        raise ConversionError(f"{where} is a list whose entries are not all named, each differently; name all or none.")
    return {str(n): to_python(v, f"{where}${n}" if where else str(n)) for n, v in zip(names, value.values, strict=True)}


def _frame(value: Items, kind: str, where: str) -> pd.DataFrame:
    import pandas as pd

    names = [str(n) for n in strings(value.attributes.get("names")) or []]
    if len(names) != len(value.values):
        raise ConversionError(
            f"{where} has {len(value.values)} columns and {len(names)} names; as.data.frame() repairs it."
        )
    if len(set(names)) < len(names):
        twice = sorted({n for n in names if names.count(n) > 1})
        raise ConversionError(f"{where} has several columns named {listing(twice)}; rename all but one of each.")
    index = _row_names(value.attributes.get("row.names"))
    columns = {n: column(v, f"{where}${n}") for n, v in zip(names, value.values, strict=True)}
    for name, made in columns.items():
        if len(made) != len(index):
            raise ConversionError(
                f"{where}${name} has {len(made)} entries in a data frame of {len(index)} rows; make the frame again."
            )
    frame = pd.DataFrame(columns, index=index, columns=pd.Index(names, dtype=object), copy=False)
    frame.columns = pd.Index(names)
    if kind != "data.frame":
        frame.attrs["r_class"] = kind
    return frame


def _row_names(attribute: Value | None) -> Any:
    import pandas as pd

    if not isinstance(attribute, Atom):
        return pd.RangeIndex(0)
    if attribute.type == "character":
        return pd.Index(attribute.texts())
    numbers = attribute.data
    # R's short form of 1, 2, ... n is c(NA, -n).
    if len(numbers) == 2 and numbers[0] == NA_INTEGER:
        return pd.RangeIndex(abs(int(numbers[1])))
    return pd.Index(numbers.astype(np.int64))


def column(value: Value, where: str) -> Any:
    """A column of a data frame: one array, whatever its length."""
    if not isinstance(value, Atom) or "dim" in value.attributes or value.type == "raw":
        kinds = classes(value) or ("matrix" if isinstance(value, (Atom, Sparse)) else "list",)
        raise ConversionError(
            f"{where} is a column of class {listing(kinds)}; a column holds one number, text, factor or date a row: "
            "split it into several, or drop it."
        )
    if value.type == "character" and not classes(value):
        import pandas as pd

        # An array, never a Series: that would be laid against the row names, and its rows would change places.
        return pd.array(list(value.strings), dtype="str").take(value.data, allow_fill=True)
    return array_of(value, where)


def _atom(value: Atom, where: str) -> Any:
    if "dim" in value.attributes:
        return _array(value, where)
    if value.type == "raw":
        return value.data.tobytes()
    array = array_of(value, where)
    names = strings(value.attributes.get("names"))
    if names is not None:
        import pandas as pd

        if len(names) != len(value.data):
            raise ConversionError(f"{where} has {len(value.data)} entries and {len(names)} names; unname() drops them.")
        return pd.Series(array, index=pd.Index([n or "" for n in names]))
    return _scalar(array) if len(value.data) == 1 else array


def _scalar(array: Any) -> Any:
    """The one value of a vector, where that says the same: a missing one keeps its type only as a vector."""
    import pandas as pd

    if isinstance(array, pd.Categorical) or (not isinstance(array, np.ndarray) and array.isna()[0]):
        return array
    if isinstance(array, np.ndarray) and (array[0] is None or array.dtype.kind == "f"):
        return array if array[0] is None else float(array[0])
    if isinstance(array, np.ndarray) and array.dtype.kind == "M":
        return array if np.isnat(array[0]) else datetime.date.fromisoformat(str(array[0])[:10])
    return array[0].item() if hasattr(array[0], "item") else array[0]


def _array(value: Atom, where: str) -> Any:
    import pandas as pd

    kinds = classes(value)
    if kinds:
        refuse(where, kinds)
    dim = value.attributes["dim"]
    shape = tuple(int(d) for d in dim.data) if isinstance(dim, Atom) and dim.type in ("integer", "double") else (-1,)
    if min(shape, default=-1) < 0 or math.prod(shape) != len(value.data):
        raise ConversionError(
            f"{where} has {len(value.data)} entries, which are no array of its dim; array() repairs it."
        )
    dimnames = value.attributes.get("dimnames")
    flat = PLAIN[value.type](value)
    if len(shape) != 2 or value.type == "raw":
        if dimnames is not None or not isinstance(flat, np.ndarray):
            raise ConversionError(
                f"{where} is an array of {len(shape)} dimensions with names or missing integers; as.data.frame.table() "
                "gives a data frame."
            )
        return flat.reshape(shape, order="F")
    if isinstance(flat, np.ndarray) and dimnames is None:
        return flat.reshape(shape, order="F")
    names = [strings(v) for v in dimnames.values] if isinstance(dimnames, Items) else [None, None]
    n, p = shape
    if len(names) != 2 or any(own is not None and len(own) != size for own, size in zip(names, shape, strict=False)):
        raise ConversionError(
            f"{where} is a matrix of {n} × {p} whose dimnames are of another size; unname() drops them."
        )
    index = pd.RangeIndex(n) if names[0] is None else pd.Index(names[0])
    if isinstance(flat, np.ndarray):
        frame = pd.DataFrame(flat.reshape(shape, order="F"), index=index, copy=False)
    else:
        frame = pd.DataFrame({j: flat[j * n : (j + 1) * n] for j in range(p)}, index=index)
    if names[1] is not None:
        frame.columns = pd.Index(names[1])
    frame.attrs["r_class"] = "matrix"
    return frame


def _sparse(value: Sparse, where: str) -> Any:
    from scipy import sparse

    if value.named:
        warnings.warn(f"{where}: the row and column names of a sparse matrix are left behind.", FairstatsWarning, 3)
    return sparse.csc_array((value.data.copy(), value.indices.copy(), value.pointers.copy()), shape=value.shape)
