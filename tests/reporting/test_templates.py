"""A template of the user's folder, whatever it holds: nothing acts, nothing leaves the folder, and data stay text."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pandas as pd
import pytest
from markupsafe import Markup

from fairstats.auditing.audit import audit
from fairstats.cli import run
from fairstats.errors import FairstatsWarning, FileError, InputError
from fairstats.reporting.bundle import gather
from fairstats.reporting.render import POLICY, environment, plain
from fairstats.reporting.report import context, report

EVIL = "<script>alert(1)</script>"
HEAD = "<!doctype html><html lang=en><head><title>t</title></head><body>"
TEMPLATE = Path("report.html.j2")


@pytest.fixture(scope="module")
def result():
    table = pd.DataFrame({"sex": ["f", EVIL] * 40, "hired": [0, 1, 1, 1] * 20})
    return audit(table, decision="hired", groups="sex")


def rendered(result, folder: Path, template: str) -> str:
    (folder / TEMPLATE).write_text(HEAD + template)
    return report(result, templates=folder, title=EVIL).html


# What must not come out: the label as markup. Most are refused; what is rendered is escaped.
SWITCHES = {
    "autoescape block": "{% autoescape false %}{{ title }}{% endautoescape %}",
    "autoescape by a variable": "{% set off = false %}{% autoescape off %}{{ findings.sentence }}{% endautoescape %}",
    "safe": "{{ title|safe }}",
    "safe by map": "{{ [title]|map('safe')|join }}",
    "safe by call": "{% filter safe %}{{ title }}{% endfilter %}",
    "filter block that unescapes": "{% filter striptags %}{{ title }}{% endfilter %}",
    "set block that unescapes": "{% set t | striptags %}{{ title }}{% endset %}{{ t }}",
    "filter block that replaces": "{% filter replace('&lt;', '<') %}{{ title }}{% endfilter %}",
    "set block": "{% set t %}{{ title }}{% endset %}{{ t }}",
    "macro": "{% macro m(x) %}{{ x }}{% endmacro %}{{ m(title) }}",
    "caller": "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ title }}{% endcall %}",
    "caller of a value": "{% macro m(x) %}{{ caller(x) }}{% endmacro %}{% call(y) m(title) %}{{ y }}{% endcall %}",
    "forceescape": "{{ title|forceescape }}",
    "unescape": "{{ (title|e).unescape() }}",
    "unescape in a set block": "{% set t %}{{ (title|e).unescape() }}{% endset %}{{ t }}",
    "striptags": "{{ title|e|striptags }}",
    "joined to safe text": "{{ ('<i>'|e) ~ title }}{{ ('a'|e) + title }}{{ title + ('a'|e) }}",
    "joined by safe text": "{% set b %}<b>{% endset %}{{ [title, b]|join(b) }}{{ b.join([title]) }}",
    "safe text times values": "{% set b %}<b>%s</b>{% endset %}{{ b % title }}{{ b|format(title) }}",
    "safe text formatted": "{% set b %}{}{% endset %}{{ b.format(title) }}",
    "replaced by safe text": "{% set lt %}<{% endset %}{{ title|e|replace('<'|e, lt) }}",
    "method replace": "{% set lt %}<{% endset %}{{ (title|e).replace('<'|e, lt) }}",
    "method translate": "{{ (title|e).translate({38: '<'}) }}",
    "xmlattr": "<p{{ {title: title}|xmlattr }}>",
    "tojson": '<p title="{{ title|tojson }}">',
    "urlize": "{{ ('javascript:' ~ title)|urlize(extra_schemes=['javascript:']) }}",
    "indent, wrap, cut": "{{ title|e|indent }}{{ title|e|wordwrap(5) }}{{ title|e|truncate(9) }}{{ title|e|reverse }}",
    "the type of safe text": "{{ (title|e).__class__(title) }}",
    "the type by attr": "{{ (title|e)|attr('__class__') }}",
    "markup from the style sheet": "{{ fonts_css.__class__(title) }}{{ fonts_css.format(title) }}",
    "a drawing of one's own": "{{ svg(title) }}",
    "a namespace as a drawing": "{% set d = namespace(svg=title) %}{{ svg(d) }}",
    "a dictionary as a drawing": "{{ svg({'svg': title}) }}",
    "undefined": "{{ absent|default(title) }}",
    "block": "{% block b %}{{ title }}{% endblock %}{{ self.b() }}",
    "loop": "{% for t in [title] recursive %}{{ t }}{{ loop.cycle(title) }}{% endfor %}",
    "import": '{% import "fairstats/macros/tables.html.j2" as t %}{{ t.pairs([(title, title)], title) }}',
    "string formatting": "{{ '%s' % title }}{{ '{}'.format(title) }}{{ '{0.__class__}'.format(title) }}",
    "the caption in the picture": "{{ svg(findings.figure) }}",
}


@pytest.mark.long
@pytest.mark.parametrize("name", SWITCHES)
def test_no_template_shows_a_label_as_markup(result, tmp_path, name):
    try:
        html = rendered(result, tmp_path, SWITCHES[name])
    except InputError as refused:
        assert str(tmp_path / TEMPLATE) in str(refused) or "svg()" in str(refused)
        return
    assert "<script" not in html and "javascript:" not in html
    assert "script" in html, "the label is shown, escaped"


ACTING = {
    "save a drawing": "{{ findings.figure.save(%r) }}",
    "save through a list": "{%% for part in outcomes.parts %%}{{ part.dot.save(%r) }}{%% endfor %%}",
    "a method of a path": "{{ svg.__globals__['Path'](%r).write_text('x') }}",
    "a global": "{{ lipsum.__globals__['os'].remove(%r) }}",
    "the loader": "{{ self._TemplateReference__context.environment.loader.get_source(%r) }}",
}


@pytest.mark.parametrize("name", ACTING)
def test_no_template_touches_a_file(result, tmp_path, name):
    victim = tmp_path / "thesis.csv"
    victim.write_text("mine")
    with pytest.raises(InputError, match=r"report\.html\.j2, line 1"):
        rendered(result, tmp_path, ACTING[name] % str(victim))
    assert victim.read_text() == "mine"


def test_templates_get_values_without_methods_that_act(result):
    words = plain(context(gather([result], None, "")))

    def parts(value):
        inner = (
            value.values() if isinstance(value, dict) else vars(value).values() if hasattr(value, "__dict__") else []
        )
        for part in value if isinstance(value, (list, tuple)) else inner:
            yield part
            yield from parts(part)

    items = list(parts(words))
    current = [v for v in items if not isinstance(v, (str, int, float, bool, list, tuple, dict, type(None)))]
    assert current and len(items) > 100
    assert all(not callable(getattr(v, n)) for v in current for n in dir(v) if not n.startswith("_"))
    assert not any(isinstance(v, Markup) or dataclasses.is_dataclass(v) for v in items)


def test_a_link_out_of_the_folder_is_not_followed(result, tmp_path):
    folder, outside = tmp_path / "templates", tmp_path / "secret.txt"
    folder.mkdir()
    outside.write_text("secret")
    (folder / "l").symlink_to(outside)
    with pytest.raises(InputError, match="l is a link out of the folder"):
        rendered(result, folder, "{% include 'l' %}")
    (folder / "sections").symlink_to(tmp_path)
    with pytest.raises(InputError, match="link out of the folder"):
        rendered(result, folder, "{% include 'sections/secret.txt' %}")
    (folder / "inside").write_text("within")
    (folder / "k").symlink_to("inside")
    (tmp_path / "by-link").symlink_to(folder)
    assert "within" in rendered(result, tmp_path / "by-link", "{% include 'k' %}")


BROKEN = {
    "division": ("\n{{ 1/0 }}", "line 2: ZeroDivisionError"),
    "types": ("\n\n{{ 1 + 'a' }}", "line 3: TypeError"),
    "unknown": ("{{ titel }}", "line 1: 'titel' is undefined"),
    "itself": ("{% include 'report.html.j2' %}", "line 1: RecursionError"),
    "range": ("\n{% for i in range(10000000) %}{% endfor %}", "line 2: OverflowError: Range too big"),
    "power": ("{{ 9**9**9**9 }}", "line 1: OverflowError: a power above"),
    "repeated": ("{{ 'a' * 10**10 }}", "line 1: OverflowError: more than 20000000 turns of loops"),
    "syntax": ("\n{% if %}", "line 2: Expected an expression"),
    "no such file": ("\n{% include 'absent' %}", "line 2: there is no template 'absent'"),
    "no such filter": ("\n{{ title|shout }}", "line 2: No filter named 'shout'"),
    "a forbidden statement": ("\n{% autoescape false %}{% endautoescape %}", "line 2: autoescape is not available"),
    "in a macro": ("{% macro m() %}\n{{ 1/0 }}{% endmacro %}\n{{ m() }}", "line 2: ZeroDivisionError"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_template_is_one_error_with_file_and_line(result, tmp_path, name):
    template, message = BROKEN[name]
    with pytest.raises(InputError) as refused:
        rendered(result, tmp_path, template)
    assert str(refused.value).startswith(f"template {tmp_path / TEMPLATE}, {message}")


def test_templates_shape_the_page_and_a_document_says_that_they_do_not_shape_it(result, tmp_path):
    (tmp_path / "blocks").mkdir()
    (tmp_path / "blocks" / "paragraph.html.j2").write_text("<p>OURS {{ block.text }}</p>")
    (tmp_path / "sections").mkdir()
    (tmp_path / "sections" / "data.html.j2").write_text("<p>{{ data.summary }} of our house</p>")
    with pytest.warns(FairstatsWarning, match=r"templates shape .html and .pdf; .*a\.md has the report's own text"):
        report(result, templates=tmp_path, to=[tmp_path / "a.html", tmp_path / "a.md"])
    page, text = (tmp_path / "a.html").read_text(), (tmp_path / "a.md").read_text()
    assert "<p>OURS " in page and "of our house" in page and "OURS" not in text and "of our house" not in text
    report(result, templates=tmp_path, to=tmp_path / "b.html")  # without a warning


def test_a_template_in_another_encoding_is_named_with_the_line(result, tmp_path):
    (tmp_path / TEMPLATE).write_bytes(HEAD.encode() + b"\n\n\xe9t\xe9")
    with pytest.raises(InputError, match=r"report\.html\.j2, line 3: it is not UTF-8"):
        report(result, templates=tmp_path)


def test_a_report_does_not_replace_its_template(result, tmp_path):
    (tmp_path / "logo.html").write_text("<p>logo")
    (tmp_path / TEMPLATE).write_text(HEAD + "{% include 'logo.html' %}")
    os.link(tmp_path / "logo.html", tmp_path / "same.html")
    for target in ("logo.html", "same.html"):
        with pytest.raises(FileError, match="is read"):
            report(result, templates=tmp_path, to=tmp_path / target, overwrite=True)
    assert (tmp_path / "logo.html").read_text() == "<p>logo"
    report(result, templates=tmp_path, to=tmp_path / "audit.html")


def test_every_page_carries_the_policy_before_anything_that_it_loads(result, tmp_path):
    meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    for html in (report(result).html, rendered(result, tmp_path, "x"), report(result, preset="ll144").html):
        assert html.count(meta) == 1
        assert "<script" not in html[: html.index(meta)] and html.index(meta) < html.index("<title>")
    for start in (
        "<script>1</script>" + HEAD,
        "<p>x",
        "<!doctype html><html><body>",
        "<!-- --><script>--></script>" + HEAD,
    ):
        (tmp_path / TEMPLATE).write_text(start)
        with pytest.raises(InputError, match="does not begin with"):
            report(result, templates=tmp_path)


def test_what_the_documentation_says_templates_may_use_works():
    text = "{{ '%.1f' % 2 }} {{ 'a,b'.split(',')|join('-') }} {{ {'a': 1}.items()|list }} {{ 2 ** 3 }} {{ 'ab' * 2 }}"
    assert environment().from_string(text).render() == "2.0 a-b [(&#39;a&#39;, 1)] 8 abab"


def test_the_command_line_ends_such_a_template_with_one_line(tmp_path, capsys):
    (tmp_path / TEMPLATE).write_text("{{ 1/0 }}")
    (tmp_path / "d.csv").write_text("g,d\n" + "u,1\nv,0\nu,0\nv,1\n" * 9)
    words = ["audit", str(tmp_path / "d.csv"), "--groups", "g", "--decision", "d", "--templates", str(tmp_path)]
    assert run([*words, "--to", str(tmp_path / "o.html")]) == 2
    assert "line 1: ZeroDivisionError" in capsys.readouterr().err and not (tmp_path / "o.html").exists()


ENDLESS = {
    "loops in loops": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "macros of macros": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
    "recursive loops": "{% for x in [0, 1] recursive %}{{ loop([0, 1]) if loop.depth < 60 }}{% endfor %}",
    "% of a width": "{{ '%1000000000d' % 1 }}",
    "% of a width that is computed": "{{ '%*d' % (10**9, 1) }}",
    "format of a width": "{{ '{:>1000000000}'.format(1) }}",
    "format of a width that is computed": "{{ '{:>{}}'.format(1, 10**9) }}",
    "filter format": "{{ '%1000000000d'|format(1) }}",
    "method with a width": "{{ 'x'.ljust(1000000000) }}",
    "filter with a width": "{{ 'x'|center(1000000000) }}",
    "indent": "{{ 'x'|indent(1000000000, true) }}",
    "join": "{{ ('x' * 1000000).join(range(99999)) }}",
    "filter join": "{{ range(99999)|join('x' * 1000000) }}",
    "replace": "{{ ('x' * 1000000).replace('x', 'y' * 1000000) }}",
    "replaced": "{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = n.x|replace('a', 'aaaaaaaaaa') %}"
    "{% endfor %}",
    "replaced by name": "{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = "
    "n.x|replace(new='aaaaaaaaaa', old='a') %}{% endfor %}",
    "joined": "{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = [n.x, n.x, n.x]|join %}{% endfor %}",
    "joined by a method": "{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = ''.join([n.x] * 9) %}"
    "{% endfor %}",
    "indented by itself": "{% set n = namespace(x='\na\na') %}{% for i in range(60) %}{% set n.x = n.x|indent(n.x) %}"
    "{% endfor %}",
    "wrapped by itself": "{% set n = namespace(x='ab') %}{% for i in range(60) %}{% set n.x = "
    "n.x|wordwrap(1, true, n.x) %}{% endfor %}",
    "doubled by +": "{% set n = namespace(x='x') %}{% for i in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}",
    "doubled by ~": "{% set n = namespace(x='x') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    "doubled by a block": "{% set n = namespace(x='x') %}{% for i in range(60) %}{% set b %}{{ n.x }}{{ n.x }}"
    "{% endset %}{% set n.x = b %}{% endfor %}",
    "squared": "{% set n = namespace(x=3) %}{% for i in range(60) %}{% set n.x = n.x * n.x %}{% endfor %}",
    "batch": "{{ [1]|batch(10**9, 0)|list }}",
}


@pytest.mark.long
@pytest.mark.parametrize("name", ENDLESS)
def test_a_template_that_would_never_end_is_one_error(result, tmp_path, monkeypatch, name):
    monkeypatch.setenv("FAIRSTATS_MAX_TEMPLATE", "300000")
    with pytest.raises(
        InputError, match=r"OverflowError: (more than 300000 turns|a format with a width|a whole number)"
    ):
        rendered(result, tmp_path, ENDLESS[name])


def test_what_is_counted_in_a_template_gives_what_jinja_gives(result, tmp_path):
    text = (
        "{% for k, v in {'a': 1, 'b': 2}.items() %}{{ loop.index }}/{{ loop.length }}{{ k ~ v }}{% endfor %}|"
        "{% for x in [1, 2, 3]|select('odd') %}{{ x }}{% else %}none{% endfor %}|"
        "{% for x in [] %}{% else %}none{% endfor %}|"
        "{{ ['a', '<']|join('-') }}|{{ 'a' ~ '<' ~ 1 }}|{{ '%s-%d' % ('x', 2) }}|"
        "{{ '%s'|format('y') }}|{{ 'x'|center(3) }}|"
        "{{ [1, 2, 3]|batch(2, 0)|list }}|{{ 'a b'.split() }}|{{ [1] + [2] }}|{{ 'x'.ljust(2) }}."
    )
    got = rendered(result, tmp_path, text)
    expected = "1/2a12/2b2|13|none|a-&lt;|a&lt;1|x-2|y| x |[[1, 2], [3, 0]]|[&#39;a&#39;, &#39;b&#39;]|[1, 2]|x ."
    assert expected in got
