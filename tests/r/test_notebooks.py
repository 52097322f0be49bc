"""R from a notebook: values, pictures and models, in the kernel's own thread."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.r.bridge import requires_bridge

CELLS = [
    "import fairstats as fs, fairstats.r as fr\nr = fr.session()\nr.eval('sum(x)', x=[1, 2, 3])",
    "fr.plot('plot(1:3)', alt='three points')",
    "from concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor(3) as pool:\n"
    "    told = list(pool.map(lambda i: fr.session().eval('x + 1', x=i), range(6)))\n"
    "told",
]


@pytest.mark.long
def test_a_notebook_shows_what_r_computes_and_draws(tmp_path: Path) -> None:
    requires_bridge()
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    client.NotebookClient(book, timeout=120, kernel_name="python3").execute(cwd=str(tmp_path))
    value, picture, reported = (cell["outputs"][-1]["data"] for cell in book.cells)
    assert "6" in value["text/plain"]
    assert (
        '<img src="data:image/svg+xml;base64,' in picture["text/html"] and 'alt="three points"' in picture["text/html"]
    )
    assert reported["text/plain"].replace(".0", "").replace("np.float64", "") in ("[1, 2, 3, 4, 5, 6]",)
