"""The tables of the examples, and loaders for a reader's own copies of public files."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fairstats.data.read import read_table
from fairstats.errors import Call, DependencyError, FileError, snippet
from fairstats.validation import answering

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["adult", "arrests", "communities", "compas", "credit", "german_credit", "law_school", "salaries"]


def _beside_or_installed() -> Path:
    """Where the tables are: in a checkout beside the package, else in the distribution that has them."""
    checkout = Path(__file__).parents[2] / "packages" / "fairstats-data" / "fairstats_data"
    installed = importlib.util.find_spec("fairstats_data")
    return checkout if checkout.is_dir() or not (installed and installed.origin) else Path(installed.origin).parent


TABLES = _beside_or_installed()  # GPL, and so a distribution of its own
ARRESTS = TABLES / "arrests.csv"


def _present(file: Path) -> Path:
    """The file of a table of the examples.

    Raises DependencyError: the distribution that has it is not installed, or is an older one.
    """
    if not file.exists():
        raise DependencyError(
            f"the table {file.stem} needs the package fairstats-data, which is not installed, or is too old; "
            f"{snippet('it stands in the source tree of fairstats: pip install ./packages/fairstats-data')}."
        )
    return file


def arrests_file() -> Path:
    """The file of the arrests table."""
    return _present(ARRESTS)


@dataclass(frozen=True)
class PublicFile:
    """A public file as it is known here: what it is, where one finds it, and the hash of the copy that was tested."""

    title: str
    origin: str
    rows: int
    sha256: str


_FROM_FAIRML = "R package fairml: write.csv(fairml::{0}, '{0}.csv', row.names = FALSE)"

PUBLIC_FILES: dict[str, PublicFile] = {
    "compas": PublicFile(
        "ProPublica's two-year COMPAS file (compas-scores-two-years.csv)",
        "ProPublica's repository compas-analysis",
        7214,
        "c451db85908b2f7fef1d83203bedf6b71ecda0d5af468d82ae62178f91d0cc7d",
    ),
    "credit": PublicFile(
        "default of credit card clients, Taiwan, without the default flag (creditdata.csv)",
        "the UCI repository (default of credit card clients), columns ID to PAY_AMT6 with EDUCATION first",
        30000,
        "93aa9fb462ac27cbda923f07d4bbdf62783ce301101958738e2a1936bd150ae0",
    ),
    "adult": PublicFile(
        "UCI Adult, complete cases",
        _FROM_FAIRML.format("adult"),
        30162,
        "5a25e4c10783b1cd48a9448fc59abddd80f1e8f42ec1b02e22da1bd4ef8fcc5c",
    ),
    "german_credit": PublicFile(
        "Statlog German credit",
        _FROM_FAIRML.format("german.credit"),
        1000,
        "1a6815efad6ddca3ea123baf87aec0f6f393d3bfd39b73615162505842fa6f75",
    ),
    "law_school": PublicFile(
        "law school admissions",
        _FROM_FAIRML.format("law.school.admissions"),
        20800,
        "54416346fdef25566faeb89f6f7aad6506dc81da9bdba22a5c285a3045a770f3",
    ),
    "communities": PublicFile(
        "communities and crime",
        _FROM_FAIRML.format("communities.and.crime"),
        1969,
        "187168de6848d82f2829546b704dd42316fc4e6250635c6a3ece147232ccec97",
    ),
}


@answering
def arrests() -> pd.DataFrame:
    """Give the Toronto arrests table: 5226 people arrested for possession of marijuana, 1997 to 2002.

    Returns
    -------
    pandas.DataFrame
        ``released`` (No, Yes: released with a summons), ``colour`` (Black, White), ``year``, ``age`` (years), ``sex``,
        ``employed``, ``citizen``, ``checks`` (in how many of six police data bases the name appeared).

    Raises
    ------
    DependencyError
        The package fairstats-data, which has the table, is not installed.

    References
    ----------
    Arrests in R's carData (Fox, Weisberg, Price), from Michael Friendly; license GPL version 2 or later.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.arrests().groupby("colour")["released"].value_counts().to_dict()[("Black", "Yes")]
    955
    """
    return read_table(arrests_file()).frame


def salaries() -> pd.DataFrame:
    """Give the salaries of 397 members of a college in the United States, 2008-09.

    Returns
    -------
    pandas.DataFrame
        ``rank`` (AsstProf, AssocProf, Prof), ``discipline`` (A: theoretical, B: applied), ``yrs.since.phd``,
        ``yrs.service``, ``sex`` (Female, Male), ``salary`` (dollars for nine months).

    Raises
    ------
    DependencyError
        The package fairstats-data, which has the table, is not installed, or is too old.

    References
    ----------
    Salaries in R's carData (Fox, Weisberg, Price); license GPL version 2 or later.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.datasets.salaries().groupby("sex")["salary"].mean().round().to_dict()
    {'Female': 101002.0, 'Male': 115090.0}
    """
    return read_table(_present(TABLES / "salaries.csv")).frame


@answering
def compas(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read your copy of ProPublica's ``compas-scores-two-years.csv`` after checking its SHA-256.

    Parameters
    ----------
    path : str or path
        The file, byte for byte as published.

    Returns
    -------
    pandas.DataFrame
        7214 rows, 51 columns (two of the file's 53 repeat another); groups ``race``, ``sex``; outcome
        ``two_year_recid``; score ``decile_score``.

    Raises
    ------
    FileError
        The file is missing, or its hash is another.

    References
    ----------
    Angwin J, Larson J, Mattu S, Kirchner L (2016). Machine bias. ProPublica.

    Examples
    --------
    >>> import fairstats as fs
    >>> from fairstats.data.datasets import ARRESTS
    >>> fs.datasets.compas(ARRESTS)
    Traceback (most recent call last):
    fairstats.errors.FileError: arrests.csv is not ProPublica's two-year COMPAS file ...
    """
    return _checked("compas", path)


@answering
def credit(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read your copy of the credit card clients table (30 000 rows, no default flag) after checking its SHA-256.

    Parameters, errors as for `compas`. Groups: ``EDUCATION`` (1, 2 is higher education), ``MARRIAGE``, ``SEX``.

    References
    ----------
    Samadi S, Tantipongpipat U, Morgenstern J, Singh M, Vempala S (2018). The price of fair PCA. NeurIPS.
    """
    return _checked("credit", path)


@answering
def adult(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read your copy of UCI Adult's complete cases (30 162 rows) after checking its SHA-256.

    Parameters, errors as for `compas`. Groups: ``sex``, ``race``; outcome ``income``.
    """
    return _checked("adult", path)


@answering
def german_credit(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read your copy of the Statlog German credit data (1000 rows) after checking its SHA-256.

    Parameters, errors as for `compas`.
    """
    return _checked("german_credit", path)


@answering
def law_school(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read your copy of the law school admissions table (20 800 rows) after checking its SHA-256.

    Parameters, errors as for `compas`. Groups: ``race1``, ``gender``; outcome ``bar``.
    """
    return _checked("law_school", path)


@answering
def communities(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read your copy of communities and crime (1969 rows) after checking its SHA-256.

    Parameters, errors as for `compas`. The group variables are continuous (``racepctblack``, ...).
    """
    return _checked("communities", path)


def _checked(key: str, path: str | os.PathLike[str]) -> pd.DataFrame:
    present = PUBLIC_FILES[key]
    table = read_table(path)
    if table.sha256 != present.sha256:
        raise FileError(
            f"{table.name} is not {present.title}: its SHA-256 is {table.sha256}, the public file's {present.sha256}. "
            f"Get it from {present.origin}; to read another version, use {Call('read_table')}."
        )
    return table.frame


def __dir__() -> list[str]:
    return sorted(__all__)
