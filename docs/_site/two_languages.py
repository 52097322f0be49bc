"""The directive ``run``: cells of Python, of R and of a shell on one page, executed when the page is read.

    ```{run} python
    import fairstats as fs
    ```

All cells of one language on a page share one session, in their order, whatever stands between them. Options:
``:hide:`` runs a cell that the reader need not see, ``:raises:`` expects an error and shows its last line,
``:needs: data/file.csv`` puts files of the folder ``FAIRSTATS_DATA`` beside the cells; where one is absent, the cell is
shown and not run. A cell that fails otherwise is a warning of the build, which is then no success.

    ```{published} Bickel, Hammel & O'Connell 1975
    men admitted | 44.3% | f"{rate:.1%}"
    ```

sets what a source printed beside an expression of the page's Python session, as a table; the build fails where they
differ.
"""

from __future__ import annotations

import base64
import io
import json
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from docutils import nodes
from docutils.parsers.rst import directives
from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

import fairstats

LOGGER = getLogger(__name__)
ANSI = re.compile(r"\x1b\[[0-9;]*m")
# Numbers as they were printed beside ours; what differs stops the page.
BESIDE = """
def _beside(source, rows):
    differ = [f"{what}: printed {printed}, here {here}" for what, printed, here in rows if printed != here]
    if differ:
        raise AssertionError("; ".join(differ))
    from IPython.display import HTML, display
    row = "<tr><th scope='row'>{}</th><td>{}</td><td>{}</td></tr>"
    body = "".join(row.format(*values) for values in rows)
    head = f"<tr><td></td><th scope='col'>{source}</th><th scope='col'>here</th></tr>"
    display(HTML(f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"))
"""
READY = [getattr(fairstats, name) for name in fairstats.__all__]  # a page's Python has them imported
DATA = Path(os.environ.get("FAIRSTATS_DATA", ""))


class cell(nodes.General, nodes.Element):
    """A cell until it has run: its code, its language, its options."""


class Run(SphinxDirective):
    """Read a cell; it runs when the whole page is known."""

    required_arguments = 1
    has_content = True
    option_spec = {"hide": directives.flag, "raises": directives.flag, "needs": directives.unchanged}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        language = self.arguments[0]
        if language not in RUN:
            raise self.error(f"run: {language!r} is not one of {sorted(RUN)}")
        code = "\n".join(self.content)
        options = {name: name in self.options for name in ("hide", "raises")}
        return [cell(code=code, language=language, **options, needs=self.options.get("needs", "").split(), bare=False)]


class Published(SphinxDirective):
    """Read a table of what was printed; it is compared when the page has run."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"needs": directives.unchanged}  # noqa: RUF012  as docutils wants it

    def run(self) -> list[nodes.Node]:
        rows = [[part.strip() for part in line.split("|", 2)] for line in self.content if line.strip()]
        table = ", ".join(f"({what!r}, {printed!r}, str({here}))" for what, printed, here in rows)
        code = f"_beside({self.arguments[0]!r}, [{table}])"
        return [
            cell(
                code=code,
                language="python",
                hide=False,
                raises=False,
                needs=self.options.get("needs", "").split(),
                bare=True,
            )
        ]


class Execute(SphinxTransform):
    """Run all cells of a page, language by language, and put code and output in their place."""

    default_priority = 180

    def apply(self) -> None:
        items = list(self.document.findall(cell))
        for language in RUN:
            cells = [node for node in items if node["language"] == language and present(node)]
            if cells:
                for node, output in zip(cells, executed(cells, language, self.env.docname), strict=True):
                    node.replace_self(list(shown(node, output)))
        for node in list(self.document.findall(cell)):
            node.replace_self(list(shown(node, [], f"Not run here: it needs {' and '.join(node['needs'])}.")))


def present(node: cell) -> bool:
    """Whether the files that a cell needs are there."""
    return all((DATA / file).is_file() for file in node["needs"])


def executed(cells: list[cell], language: str, page: str) -> list[list[dict]]:
    """Return what each cell puts out, in the form of a notebook; one session in a folder of its own runs them all."""
    outputs: list[list[dict]] = []
    with TemporaryDirectory() as folder:  # what cells write is no part of the tree
        for file in {file for node in cells for file in node["needs"]}:
            Path(folder, Path(file).name).symlink_to((DATA / file).resolve())
        try:
            outputs = RUN[language](cells, folder)
        except Failed as failed:  # a warning fails the build, after every page was tried
            LOGGER.warning("%s: %s", page, ANSI.sub("", str(failed)), type="run")
    return outputs + [[]] * (len(cells) - len(outputs))


class Failed(Exception):
    """What a cell raised that should not."""


def python(cells: list[cell], folder: str) -> list[list[dict]]:
    """Run cells in a fork of this process, which has imported what they need: a new one spends seconds on that."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.chdir(folder)
            result = json.dumps(session(cells))
        except Exception as failed:  # noqa: BLE001  the parent raises it
            result = json.dumps(str(failed) if isinstance(failed, Failed) else traceback.format_exc())
        with os.fdopen(writing, "w") as pipe:
            pipe.write(result)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        result = json.loads(pipe.read() or '"Python ended"')
    os.waitpid(child, 0)
    if isinstance(result, str):
        raise Failed(result)
    return result


class Session(InteractiveShell):
    """IPython without a window; an error is an output, or stops the page."""

    def enable_gui(self, gui=None):
        """There is none."""

    def _showtraceback(self, *_):
        """It is shown where it is expected."""


def session(cells: list[cell]) -> list[list[dict]]:
    """What IPython puts out for each cell."""
    shell = Session.instance()
    shell.enable_matplotlib("inline")
    shell.display_pub = published = CapturingDisplayPublisher()
    shell.display_trap.hook = CapturingDisplayHook(shell=shell, outputs=published.outputs)
    shell.run_cell(BESIDE)
    outputs = []
    for node in cells:
        published.outputs.clear()
        with redirect_stdout(io.StringIO()) as text, redirect_stderr(io.StringIO()):
            result = shell.run_cell(node["code"])
        error = result.error_before_exec or result.error_in_exec
        if error and not node["raises"]:
            raise Failed(f"{node['code']}\n{type(error).__name__}: {error}")
        shown = [{"output_type": "display_data", "data": encoded(output["data"])} for output in published.outputs]
        if text.getvalue():
            shown.insert(0, {"output_type": "stream", "name": "stdout", "text": text.getvalue()})
        if error:
            shown.append({"output_type": "error", "ename": type(error).__name__, "evalue": str(error)})
        outputs.append(shown)
    return outputs


def encoded(data: dict) -> dict:
    """The forms of an output, pictures as text."""
    return {kind: base64.b64encode(it).decode() if isinstance(it, bytes) else it for kind, it in data.items()}


def r(cells: list[cell], folder: str) -> list[list[dict]]:
    """Run cells in a session of R."""
    # R draws a data frame for consoles that cannot show HTML; here text is wanted, and pictures as SVG.
    plain = "options(jupyter.rich_display = FALSE, width = 100, cli.num_colors = 1L)"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(plain)])
    for node in cells:
        notebook.cells.append(nbformat.v4.new_code_cell(node["code"]))
        notebook.cells[-1].metadata["tags"] = ["raises-exception"] if node["raises"] else []
    try:
        client = NotebookClient(notebook, kernel_name="ir", timeout=600, resources={"metadata": {"path": folder}})
        client.execute()
    except CellExecutionError as failed:
        raise Failed(str(failed)) from None
    return [result.outputs for result in notebook.cells[1:]]


def bash(cells: list[cell], folder: str) -> list[list[dict]]:
    """Hand cells to bash, which finds the `fairstats` of this Python; an exit code but 0 is an error."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    outputs = []
    for node in cells:
        done = subprocess.run(
            ["bash", "-ec", node["code"]],
            capture_output=True,
            text=True,
            cwd=folder,
            env={**os.environ, "PATH": path, "COLUMNS": "80"},
        )
        outputs.append([{"output_type": "stream", "name": "stdout", "text": done.stdout}])
        if done.returncode:
            error = f"exit code {done.returncode}\n{done.stderr}"
            if not node["raises"]:
                raise Failed(f"{node['code']}\n{error}")
            outputs[-1].append({"output_type": "error", "ename": "SystemExit", "evalue": error})
    return outputs


RUN = {"python": python, "r": r, "bash": bash}


def shown(node: cell, outputs: list[dict], text: str = "") -> Iterator[nodes.Node]:
    """The code and what it printed, as a reader sees them."""
    if node["hide"]:
        return
    if not node["bare"]:
        yield nodes.literal_block(node["code"], node["code"], language=node["language"], classes=["cell-code"])
    for output in outputs:
        if output["output_type"] == "stream":
            text += output["text"] if output["name"] == "stdout" else ""
            continue
        if text:
            yield printed(text)
            text = ""
        if output["output_type"] == "error":
            name = output["ename"]  # R has none
            yield printed(f"{name}: {output['evalue']}" if name else "\n".join(output["traceback"]))
        else:
            yield displayed(output["data"])
    if text:
        yield printed(text)


def printed(text: str) -> nodes.Node:
    """Text as a console shows it; it scrolls, so the keyboard has to reach it."""
    clean = ANSI.sub("", text).rstrip("\n")
    return nodes.literal_block(clean, clean, language="none", classes=["cell-output"])


def displayed(data: dict) -> nodes.Node:
    """The richest form of an output that a page can hold."""
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            source = "".join(data[kind])
            source = re.sub(r"^.*?(?=<svg)", "", source, flags=re.S) if kind == "image/svg+xml" else source
            return nodes.raw("", f'<div class="cell-display" tabindex="0">{source}</div>', format="html")
    if "image/png" in data:
        return nodes.raw("", f'<img alt="" src="data:image/png;base64,{data["image/png"]}">', format="html")
    return printed("".join(data.get("text/plain", "")))


def setup(app):
    app.add_node(cell)
    app.add_directive("run", Run)
    app.add_directive("published", Published)
    app.add_transform(Execute)
    return {"parallel_read_safe": True, "version": "1"}
