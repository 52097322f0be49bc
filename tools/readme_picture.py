"""Draw page one of the demo's report for the README, docs/_static/page-one.png: ``python tools/readme_picture.py``.

The finding that the page states is kept in the picture's own text, where a test reads it.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo

import fairstats
from fairstats.cli.audits import WORDS

PICTURE = Path(__file__).parents[1] / "docs" / "_static" / "page-one.png"
DAY = "1767225600"  # of the report: a picture that is drawn again is the same


def main() -> None:
    """Draw the page, cut off what is blank, reduce it to sixteen grays and blues."""
    os.environ["SOURCE_DATE_EPOCH"] = DAY
    audit = fairstats.audit(fairstats.arrests(), "released", "colour", favorable="Yes", labels=WORDS)
    with tempfile.TemporaryDirectory() as name:
        pdf, page = Path(name, "audit.pdf"), Path(name, "page")
        fairstats.report(audit, to=pdf, title="Released on a summons: 5226 arrests in Toronto")
        subprocess.run(["pdftoppm", "-r", "110", "-f", "1", "-l", "1", "-png", "-singlefile", pdf, page], check=True)
        image = Image.open(page.with_suffix(".png")).convert("RGB")
    image = image.crop((0, 0, image.width, int(image.height * 0.94)))  # the foot of the page
    box = ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox()
    assert box is not None
    image = image.crop((box[0] - 20, box[1] - 20, box[2] + 20, box[3] + 20)).quantize(16)
    text = PngInfo()
    text.add_text("Description", audit.finding())
    image.save(PICTURE, optimize=True, pnginfo=text)
    print(PICTURE, PICTURE.stat().st_size)


if __name__ == "__main__":
    main()
