"""Moments of Parquet files beside a bare pyarrow scan of the same files, each in a process of its own.

The size is that of the disk at hand: FAIRSTATS_BENCH_GB (default 2). The files are written to a temporary folder first.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.side_by_side import report

COLUMNS, ROWS = 40, 500_000
SCAN = """
import resource, sys, time
import pyarrow.dataset as ds
start = time.perf_counter()
rows = sum(b.num_rows for b in ds.dataset(sys.argv[1]).to_batches(batch_readahead=2, fragment_readahead=1))
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, rows)
"""
OURS = """
import resource, sys, time
import fairstats as fs, pyarrow.dataset, pandas
fs.moments
start = time.perf_counter()
m = fs.moments(sys.argv[1], "g", by_cell=False)
fs.og(m, k=5)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, int(m.n.sum()))
"""


def write(folder: Path, files: int) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    for i in range(files):
        X = rng.standard_normal((ROWS, COLUMNS)) * 0.9 ** np.arange(COLUMNS)
        table = pa.table({**{f"v{j}": X[:, j] for j in range(COLUMNS)}, "g": rng.integers(0, 3, ROWS)})
        pq.write_table(table, folder / f"part-{i:03d}.parquet", row_group_size=100_000)


def run(code: str, folder: str) -> tuple[float, float, int]:
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    out = done.stdout.split()
    return float(out[0]), float(out[1]), int(float(out[2]))


def main() -> int:
    gigabytes = float(os.environ.get("FAIRSTATS_BENCH_GB", "2"))
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), max(1, round(gigabytes * 1e9 / (8 * COLUMNS * ROWS))))
        size = sum(f.stat().st_size for f in Path(name).iterdir()) / 1e9
        pairs = [(run(OURS, name), run(SCAN, name)) for _ in range(4)][1:]
    assert all(a[2] == b[2] for a, b in pairs)
    memory = max(a[1] for a, _ in pairs)
    measured = median(a[0] / b[0] for a, b in pairs)
    fine = report(f"moments + og of {size:.1f} GB Parquet, {memory:.0f} MB peak", "pyarrow scan", measured, 2)
    return 0 if fine and memory < 1000 else 1


if __name__ == "__main__":
    sys.exit(main())
