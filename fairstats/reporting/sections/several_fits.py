"""Page one of several methods at once: what each keeps, what still leaks of each, whom each costs most."""

from __future__ import annotations

from collections.abc import Sequence

from fairstats.inference.representations.leakage_result import Leakage
from fairstats.language import mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Fit, name_of, removing
from fairstats.text import listed

PROBED = ("AUC of linear probe", "AUC of non-linear probe")
MOST = 8  # methods of a sentence
ASKED = mark("What does each of these methods keep, what do its components still tell of {groups}, and who pays?")
ASKED_OF_ERRORS = mark("What does each of these methods keep of the features, and which group of {groups} pays?")


def compared(fits: Sequence[Fit]) -> list[Fit]:
    """The fits that page one speaks of together; none where there is but one beside plain components."""
    own = [fit for fit in fits if fit.method != "pca"]
    return own if len(own) > 1 else []


def question(fits: Sequence[Fit], groups: str) -> str:
    """What is asked of all of them."""
    return say(ASKED if all(map(removing, fits)) else ASKED_OF_ERRORS, groups=groups)


def told(fits: Sequence[Fit], leaks: Sequence[Leakage]) -> str:
    """How well a probe still tells the groups after each method, "" where none was probed."""
    best = []
    for fit in fits:
        rows = [r for made in leaks if made.method == fit.method for r in made.estimates if r.metric in PROBED]
        known = [r.estimate for r in rows if words.shown(r)]
        if known:
            best.append(say("{auc} after {method}", auc=words.number(max(known), 2), method=name_of(fit)))
    if not best:
        return ""
    return say(
        "A model still tells the groups with an AUC of {each}; 0.5 is no better than chance.", each=listed(best, MOST)
    )


def same_features(fits: Sequence[Fit]) -> bool:
    """Whether all were fitted to the same features; otherwise no number of one stands beside one of another."""
    return len({tuple(getattr(fit, "features", ())) for fit in fits}) == 1


def kept(fits: Sequence[Fit], shares: Sequence[float]) -> str:
    """What each carries of the variation, "" where that is not known."""
    if not same_features(fits):
        each = [
            say(
                "{share} % of {n} features with {k} of {method}",
                share=words.percent(share),
                n=words.count(len(getattr(fit, "features", ()))),
                k=fit.k,
                method=name_of(fit),
            )
            for fit, share in zip(fits, shares, strict=True)
            if share == share
        ]
        return say("Each keeps of the variation of its own features: {each}.", each=listed(each, MOST)) if each else ""
    features = len(getattr(fits[0], "features", ()))
    alike = len({fit.k for fit in fits}) == 1  # which is then said once
    each = [
        say("{share} % with {method}", share=words.percent(share), method=name_of(fit))
        if alike
        else say("{share} % with {k} of {method}", share=words.percent(share), method=name_of(fit), k=fit.k)
        for fit, share in zip(fits, shares, strict=True)
        if share == share
    ]
    if not each:
        return ""
    if alike:
        return say(
            "{k} components keep of the variation of {n} features: {each}.",
            k=fits[0].k,
            n=words.count(features),
            each=listed(each, MOST),
        )
    return say("Of the variation of {n} features is kept: {each}.", n=words.count(features), each=listed(each, MOST))


def payers(most: Sequence[tuple[Fit, str, float]]) -> str:
    """The group whose error each method raises most, beside as many principal components."""
    each = [
        say("{group} with {method} ({change} %)", group=group, method=name_of(fit), change=words.signed(100 * change))
        for fit, group, change in most
    ]
    if not each:
        return ""
    return say("Whose mean squared error grows most: {each}.", each=listed(each, MOST))
