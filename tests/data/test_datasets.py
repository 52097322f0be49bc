"""The table that ships equals R's, and a reader's own copy of a public file is known by its hash."""

from __future__ import annotations

import hashlib
import re

import numpy as np
import pytest

from fairstats.data import datasets
from fairstats.errors import FileError
from tests.oracle.r import requires_r, run_r


@pytest.fixture(scope="module")
def in_r():
    requires_r("carData")
    return run_r(
        """
        a <- carData::Arrests
        list(columns = names(a), rows = nrow(a), released = as.vector(table(a$released, a$colour)),
             text = lapply(a[c("released", "colour", "sex", "employed", "citizen")], as.character),
             numbers = as.list(a[c("year", "age", "checks")]))
        """
    )


def test_arrests_equal_those_of_cardata_cell_by_cell(in_r):
    frame = datasets.arrests()
    assert list(frame.columns) == in_r["columns"]
    assert len(frame) == in_r["rows"] == 5226
    for name, values in {**in_r["text"], **in_r["numbers"]}.items():
        assert frame[name].tolist() == values, name


def test_released_by_colour_is_the_table_of_r(in_r):
    frame = datasets.arrests()
    counts = [((frame.released == r) & (frame.colour == c)).sum() for c in ("Black", "White") for r in ("No", "Yes")]
    np.testing.assert_array_equal(counts, in_r["released"])
    assert counts == [333, 955, 559, 3379]


def test_the_readme_beside_the_table_states_its_hash_and_license():
    text = (datasets.ARRESTS.parents[1] / "README.md").read_text()
    assert hashlib.sha256(datasets.ARRESTS.read_bytes()).hexdigest() in text
    assert "GNU General Public License, version 2 or (at your option) any later version" in text
    license = datasets.ARRESTS.parents[1] / "LICENSES" / "GPL-2.0-or-later.txt"
    assert "GNU GENERAL PUBLIC LICENSE" in license.read_text()


FILES = {
    "compas": "compas-scores-two-years.csv",
    "credit": "creditdata.csv",
    "adult": "fairml_adult.csv",
    "german_credit": "fairml_german_credit.csv",
    "law_school": "fairml_law_school_admissions.csv",
    "communities": "fairml_communities_and_crime.csv",
}


@pytest.mark.parametrize("name", datasets.PUBLIC_FILES)
def test_a_public_file_is_known_by_its_hash(shared, name):
    frame = getattr(datasets, name)(shared / "data" / FILES[name])
    assert len(frame) == datasets.PUBLIC_FILES[name].rows


@pytest.mark.parametrize("name", datasets.PUBLIC_FILES)
def test_another_file_is_refused_with_both_hashes(tmp_path, name):
    other = tmp_path / FILES[name]
    other.write_text("race,y\na,1\n")
    mine = hashlib.sha256(other.read_bytes()).hexdigest()
    with pytest.raises(FileError, match=re.escape(mine) + ".*" + datasets.PUBLIC_FILES[name].sha256):
        getattr(datasets, name)(other)
