"""What every fit of k components has and says, whether its scores are linear or come through a kernel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.data.encoding import Encoding
from fairstats.data.scaling import Scaling
from fairstats.errors import AbsentError
from fairstats.estimates import Estimates
from fairstats.methods.results.describe import brief, glance_row, tidy_rows
from fairstats.methods.results.fit_parts import Components, Price
from fairstats.methods.results.guarantee import Guarantee
from fairstats.results import Reads

if TYPE_CHECKING:
    import pandas as pd


class ComponentFit(Reads, ABC):
    """The fields that fits of k components share, what follows from them, and their rows."""

    method: str
    title: str
    settings: Mapping[str, Any]
    scaling: Scaling
    components: Components
    price: Price
    encoding: Encoding | None
    guarantees: tuple[Guarantee, ...]
    notes: tuple[str, ...]
    diagnostics: Mapping[str, Any]

    @abstractmethod
    def _mapped(self, X: Any, groups: Any = None) -> np.ndarray:
        """Return the scores of new rows (n × k)."""

    @property
    def _scores(self) -> list[str]:
        """Names of the scores in a table."""
        return [f"score_{j + 1}" for j in range(self.k)]

    @property
    def k(self) -> int:
        """Number of components."""
        return len(self.components.energy)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the p features."""
        return self.scaling.features

    @property
    def energy(self) -> np.ndarray:
        """Squared length of each component (k,), before the groups' part is removed."""
        return self.components.energy

    @property
    def group_share(self) -> np.ndarray:
        """R_j² (k,): the share of each component that the groups explain; NaN where no groups were given."""
        return self.components.group_share

    @property
    def singular_values(self) -> np.ndarray:
        """Lengths of the components (k,)."""
        return np.sqrt(self.energy)

    @property
    def sdev(self) -> np.ndarray:
        """Standard deviations of the components (k,), as R's ``prcomp`` has them: lengths over √(n − 1)."""
        return self.singular_values / np.sqrt(max(self.scaling.n - 1, 1))

    @property
    def explained_variance_ratio_(self) -> np.ndarray:
        """Share of the total in each component (k,), before the groups' part is removed; of PCA scikit-learn's."""
        return self.energy / (self.total or 1.0)

    @property
    def x(self) -> np.ndarray:
        """Raise AbsentError: a fit keeps no rows; R's ``prcomp`` has the scores of its rows here."""
        raise AbsentError(
            "x is not kept, since a fit holds no rows of data; fit.transform(X) gives the scores of these rows."
        )

    @property
    def total(self) -> float:
        """‖X_c‖², the sum of squares about the mean; in feature space for a kernel."""
        return self.price.total

    @property
    def error(self) -> float:
        """‖X_c − X̃‖², what the fit leaves of the total."""
        return self.price.error

    @property
    def pca_error(self) -> float:
        """What principal components of the same k would leave of the total."""
        return self.price.pca_error

    @property
    def extra_error(self) -> float:
        """What the method's condition costs: the error minus that of PCA of the same k."""
        return self.price.extra

    @cached_property
    def estimates(self) -> Estimates:
        """One row a component and number: share of variation, share explained by the groups with its F-test, price."""
        return tidy_rows(self)

    def glance(self) -> pd.DataFrame:
        """Return one row about the fit."""
        return glance_row(self)

    def _brief(self) -> str:
        return brief(self)

    def _common(self) -> dict[str, Any]:
        """What ``to_dict`` of every such fit begins with, and what it ends with."""
        return {
            "method": self.method,
            "title": self.title,
            "k": self.k,
            "n": self.scaling.n,
            "features": list(self.features),
            "settings": dict(self.settings),
            "energy": self.energy.tolist(),
            "total": self.total,
            "error": self.error,
            "pca_error": self.pca_error,
            "guarantees": [g.to_dict() for g in self.guarantees],
            "estimates": self.estimates.to_records(),
            "notes": list(self.notes),
        }
