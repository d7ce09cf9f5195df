"""Formulas and powers of pages and documents."""

from __future__ import annotations

import pytest

from daypack.doors.reading.pages.formulas import with_formulas
from daypack.doors.reading.pages.rendering import render_html
from documents_made import docx, pptx, text_of

KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi></mrow>'
    '<annotation encoding="application/x-tex">E_k &lt; mc^2</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true"><span>E</span><span>k</span></span></span>'
)
MEDIAWIKI = (
    '<span class="mwe-math-element"><span style="display: none;"><math alttext="{\\displaystyle E_k}"><mi>E</mi></math></span>'
    '<img src="x.svg" class="mwe-math-fallback-image-inline" alt="{\\displaystyle E_k &lt; mc^2}"></span>'
)


@pytest.mark.parametrize(
    "formula",
    [
        KATEX,
        MEDIAWIKI,
        '<math alttext="E_k &lt; mc^2"><mi>E</mi></math>',
        '<script type="math/tex; mode=display">E_k < mc^2</script>',
    ],
    ids=["KaTeX", "MediaWiki", "MathML with its TeX", "MathJax"],
)
def test_a_formula_of_a_page_is_shown_once_as_its_tex(formula: str) -> None:
    assert render_html(f"<h1>Tides</h1><p>For {formula}.</p>") == "# Tides\n\nFor `E_k < mc^2`.\n"


def test_a_formula_without_tex_keeps_its_signs() -> None:
    page = render_html("<p>Of <math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>.</p>")
    assert page == "Of a/b.\n"


@pytest.mark.parametrize(
    ("raised", "shown"),
    [("<sup>6</sup>", "10^6"), ("<sup>&minus;6</sup>", "10^−6"), ("<sup>n</sup>", "10^n"), ("<sup>th</sup>", "10th"),
     ('<sup class="ref"><a href="#n">[6]</a></sup>', "10[6]")],
)  # fmt: skip
def test_a_power_has_a_sign_and_an_ending_has_none(raised: str, shown: str) -> None:
    assert render_html(f"<p>At 10{raised} cells</p>") == f"At {shown} cells\n"


@pytest.mark.parametrize(
    ("body", "shown"),
    [("<p><sup>1</sup> At noon.</p>", "1 At noon."), ('<p>Of x<a href="#n"><sup>1</sup></a></p>', "Of x^1"),
     ("<p>le XIX<sup>e</sup> siècle, la 2<sup>e</sup>, n<sup>o</sup> 3</p>", "le XIXe siècle, la 2e, no 3"),
     ("<p>Of <i>x</i><sup>a</sup> and <b>10</b><sup>n</sup></p>", "Of *x*^a and **10**^n")],
)  # fmt: skip
def test_the_marks_of_notes_and_ordinal_numbers_have_no_sign_of_a_power(body: str, shown: str) -> None:
    assert render_html(body) == f"{shown}\n"


def test_a_power_in_a_document_has_a_sign() -> None:
    raised = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>{}</w:t></w:r>'
    told = f"<w:p><w:r><w:t>10</w:t></w:r>{raised.format('6')}<w:r><w:t> cells, the 10</w:t></w:r>{raised.format('th')}</w:p>"
    assert "10^6 cells, the 10th" in text_of(docx(told), "docx")
    line = (
        '10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r><a:r><a:rPr baseline="-25000"/><a:t>2'
    )
    assert "10^62" in text_of(pptx(("Tides", [line], "")), "pptx")


def test_marks_and_ordinal_numbers_of_a_document_have_no_sign() -> None:
    raised = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>{}</w:t></w:r>'
    told = f"<w:p>{raised.format('1')}<w:r><w:t> Le XIX</w:t></w:r>{raised.format('e')}<w:r><w:t> siècle</w:t></w:r></w:p>"
    assert "1 Le XIXe siècle" in text_of(docx(told), "docx")


def test_an_equation_of_a_document_keeps_its_fractions_and_powers() -> None:
    equation = (
        '<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num>'
        "<m:den><m:sSup><m:e><m:r><m:t>b</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f></m:oMath></w:p>"
    )
    assert "a/b^2" in text_of(docx(equation), "docx")


@pytest.mark.parametrize("part", ["<math>", "<math><annotation x-tex>", "<script type=math/tex>", "<sup>1"])
def test_a_page_of_formulas_without_end_is_read_in_a_moment(part: str) -> None:
    with_formulas(part * 100_000 + "</math></script>")  # hours if quadratic


def test_a_formula_in_signs_for_mathjax_is_code_without_them() -> None:
    page = (
        r'<h1>Tides</h1><p>The <span class="math inline">\(k_1 \le x^*_n\)</span>-th is</p>'
        r'<div class="math notranslate"><span class="eqno">(1)</span>\[ a &amp;= b_1 \\ c &amp;= d_1 \]</div>'
        r"<p>as <code>sed 's/\(a\)/b/'</code> and \[1\] in a text</p>"
    )
    assert render_html(page) == (
        "# Tides\n\nThe `k_1 \\le x^*_n`-th is\n\n(1)`a &= b_1 \\\\ c &= d_1`\n\nas `sed 's/\\(a\\)/b/'` and \\\\[1\\\\] in a text\n"
    )
