"""Compares the files of every kind with the JSONL of the same table, to the last bit.

    python check.py FOLDER NAME...

NAME.npz, NAME.safetensors, NAME.arrow and NAME.parquet hold what NAME.jsonl holds.
"""

import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet
from safetensors import safe_open

DTYPES = {"float64", "float32", "int32", "uint8"}


def split(arrays):
    """Columns of named arrays: a list a row where there are offsets."""
    columns = {}
    for name, values in arrays.items():
        if name.endswith("_ptr") and name[: -len("_ptr")] in arrays:
            continue
        ptr = arrays.get(f"{name}_ptr")
        if ptr is None:
            columns[name] = values
        else:
            assert ptr.dtype == np.int32 and ptr[0] == 0 and ptr[-1] == len(values), name
            columns[name] = [values[ptr[n] : ptr[n + 1]] for n in range(len(ptr) - 1)]
    return columns


def read_npz(path):
    with np.load(path, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    metadata = json.loads(str(arrays.pop("metadata")))
    texts = {name for name, values in arrays.items() if values.dtype.kind == "U"}
    valid = {name: arrays.pop(f"{name}_valid") for name in texts if f"{name}_valid" in arrays}
    columns = split(arrays)
    for name in texts:
        is_valid = valid.get(name, np.ones(len(columns[name])))
        columns[name] = [str(text) if one else None for text, one in zip(columns[name], is_valid)]
    return columns, metadata


def read_safetensors(path, text_columns):
    with safe_open(path, "np") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}
        metadata = file.metadata()
    columns = split(arrays)
    for name in text_columns:
        columns[name] = json.loads(metadata.pop(name))
    return columns, metadata


def from_arrow(table):
    table.validate(full=True)
    columns = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
        if pa.types.is_string(column.type):
            columns[name] = column.to_pylist()
        elif pa.types.is_list(column.type) or pa.types.is_fixed_size_list(column.type):
            columns[name] = [row.values.to_numpy() for row in column]
        else:
            columns[name] = column.to_numpy()
    metadata = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    return columns, metadata


def read_arrow(path):
    with pa.ipc.open_file(path) as file:
        return from_arrow(file.read_all())


def read_parquet(path):
    return from_arrow(pa.parquet.read_table(path))


def same_bits(place, values, expected):
    """Numbers of any type and what JSON has of them: the same float64, by its bits."""
    assert str(values.dtype) in DTYPES, (place, values.dtype)
    wide = np.asarray(values, dtype=np.float64)
    expected = np.asarray(expected, dtype=np.float64)
    assert wide.size == expected.size and wide.tobytes() == expected.tobytes(), place


def compare(place, columns, rows):
    assert set(columns) == set(rows[0]), (place, sorted(columns), sorted(rows[0]))
    for name, cells in columns.items():
        where = f"{place}: {name}"
        expected = [row[name] for row in rows]
        assert len(cells) == len(rows), (where, len(cells), len(rows))
        if all(value is None or isinstance(value, str) for value in expected):
            assert list(cells) == expected, where
        elif isinstance(expected[0], list):
            for n, row in enumerate(expected):
                same_bits(f"{where}[{n}]", np.asarray(cells[n]), row)
        else:
            same_bits(where, cells, expected)


def types_of(columns):
    """The type of each column; a list without values keeps its own."""
    found = {}
    for name, cells in columns.items():
        first = cells if isinstance(cells, np.ndarray) else cells[0]
        found[name] = str(first.dtype) if isinstance(first, np.ndarray) else "text"
    return found


def check(folder, name):
    rows = [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]
    texts = [key for key, value in rows[0].items() if any(isinstance(row[key], str) for row in rows)]
    read = {
        "npz": read_npz(folder / f"{name}.npz"),
        "safetensors": read_safetensors(folder / f"{name}.safetensors", texts),
        "arrow": read_arrow(folder / f"{name}.arrow"),
        "parquet": read_parquet(folder / f"{name}.parquet"),
    }
    for kind, (columns, metadata) in read.items():
        compare(f"{name}.{kind}", columns, rows)
        assert metadata == read["npz"][1] and metadata["tara-rl"], (name, kind, metadata)
        assert types_of(columns) == types_of(read["npz"][0]), (name, kind, types_of(columns))
    return rows


def check_turns(folder):
    """The plain table against the lines that the command writes without a table."""
    lines = [json.loads(line) for line in (folder / "rows.jsonl").read_text("utf-8").splitlines()]
    table = [json.loads(line) for line in (folder / "turns.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == len(table)
    for line, row in zip(lines, table):
        for name in ("group", "rollout", "status", "rewards", "reached", "local", "future", "advantages"):
            assert line[name] == row[name], (name, line, row)
        assert line.get("role") == row["role"]
        for name in ("token_advantages", "loss_mask"):
            flat = line[name]
            if flat and isinstance(flat[0], list):
                flat = [value for sequence in flat for value in sequence]
            assert flat == row[name], (name, line, row)


def check_archive(folder):
    """The archive of 64-bit sizes and offsets."""
    with zipfile.ZipFile(folder / "wide.zip") as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == {"a": b"a-a", "b": b"b-b"}


def main():
    folder = Path(sys.argv[1])
    for name in sys.argv[2:]:
        rows = check(folder, name)
        print(f"ok {name}: {len(rows)} rows, {len(rows[0])} columns, 4 kinds of files")
    check_archive(folder)
    check_turns(folder)
    print("ok turns: the same numbers as in the lines of `tara advantages --tokens`")


main()
