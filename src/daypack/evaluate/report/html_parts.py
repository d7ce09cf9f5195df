"""Parts of pages about measurements: the frame, the style, cards and tables. All text except literals goes
through `escaped`.

Pages need no script, font or picture from elsewhere, so they can be mailed and kept. They are light or dark
like the reader's system; on a narrow screen each row of a table becomes a card.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence

from daypack.guard.fences import one_line

WIDE = 7  # columns; wider tables scroll on a narrow screen

STYLE = """
:root { color-scheme: light dark; --ground: #fbfaf7; --card: #fff; --ink: #1d2126; --quiet: #5c6670; --line: #dfdcd4; --good: #1f6f4a; --bad: #b3361f;
  --bar: #31668f; --track: #e9e6de; --goodback: #e3f1e8; --badback: #f9e6e1; --other: #d98a00; --third: #8d8d88; --fourth: #c3c0b8; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171a; --card: #1c2125; --ink: #e7e9ea; --quiet: #9aa5ae; --line: #323a41; --good: #6cc795;
  --bad: #f08d75; --bar: #6ea8d6; --track: #2b3238; --goodback: #1d3329; --badback: #3b2521; --other: #e9a83c; --third: #8d949a; --fourth: #545c63; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
p { margin: .25rem 0; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; } .quiet, th, dt { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .75rem; margin-top: 1.25rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .9rem 1rem; }
.card strong { display: block; font-size: 1.9rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; margin: .35rem 0; } .track { fill: var(--track); } .bar { fill: var(--bar); }
.whisker { stroke: var(--ink); stroke-width: 2; } svg text { fill: var(--quiet); font: 14px system-ui, sans-serif; }
.best { color: var(--good); font-weight: 600; } nav a { margin-right: .9rem; white-space: nowrap; color: var(--bar); } summary { color: var(--quiet); cursor: pointer; }
.scroll { overflow-x: auto; } .scroll td:first-child { white-space: nowrap; }
.wide { white-space: nowrap; overflow-wrap: normal; } .scroll .plot { min-width: 36rem; }
.plot text { font-size: 12px; } .grid { stroke: var(--line); } .s0 { fill: var(--bar); } .s1 { fill: var(--other); } .s2 { fill: var(--third); } .s3 { fill: var(--fourth); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .7rem; border-top: 1px solid var(--line); } thead th { border-top: 0; font-weight: 500; }
td.number, th.number { text-align: right; white-space: nowrap; } td p { margin: 0; } .name { font-weight: 600; }
.mark { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .9rem; } .mark.good { background: var(--goodback); } .mark.bad { background: var(--badback); }
ul { margin: .25rem 0 .75rem; padding-left: 1.2rem; } dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; } dd { margin: 0; }
@media (max-width: 700px) {
  table.cases thead { position: absolute; left: -9999px; }
  table.cases, table.cases tbody, table.cases tr, table.cases td { display: block; width: 100%; } table.cases { border: 0; background: none; }
  table.cases tr { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .6rem; padding: .4rem 0; }
  table.cases td, table.cases td.number { border: 0; padding: .15rem .9rem; text-align: left; white-space: normal; }
  table.cases td[data-label]:not(:empty)::before { content: attr(data-label) " "; color: var(--quiet); }
  table.cases td:empty { display: none; }
  table.small, table.small thead, table.small tbody { display: block; } table.small tr { display: flex; flex-wrap: wrap; border-top: 1px solid var(--line); }
  table.small thead tr { border-top: 0; } table.small th, table.small td { flex: 1 1 0; border: 0; padding: .3rem .5rem; white-space: normal; }
  table.small th:first-child, table.small td:first-child { flex-basis: 100%; font-weight: 600; padding-bottom: 0; }
}
@media print { body { background: none; } }
"""


def document(title: str, body: Iterable[str], *, made_by: str) -> str:
    """A whole page. `title` and `body` are escaped already."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{made_by}">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n'
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def escaped(text: str, limit: int = 400) -> str:
    """Text from elsewhere, inert: dangerous characters first, then HTML."""
    return html.escape(one_line(text, limit))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table: a name, then numbers.

    Cells are HTML. On a narrow screen a row of few columns is broken, and a wide table scrolls.
    """

    def cells(kind: str, row: Sequence[str]) -> str:
        return "".join(
            f"<{kind}{' class=number' if column else ''}>{cell}</{kind}>" for column, cell in enumerate(row)
        )

    kind = "wide" if len(head) > WIDE else "small"
    yield f'<div class="scroll"><table class={kind}><thead><tr>{cells("th", head)}</tr></thead><tbody>'
    for row in rows:
        yield f"<tr>{cells('td', row)}</tr>"
    yield "</tbody></table></div>"


def facts(found: Mapping[str, str]) -> str:
    """Names with their explanations."""
    return f"<dl>{''.join(f'<dt>{name}</dt><dd>{escaped(value)}</dd>' for name, value in found.items())}</dl>"


def card(name: str, figure: str, chart: str, about: str) -> str:
    """One figure, with its chart and its parts. All arguments are HTML."""
    return f'<div class="card"><span class="quiet">{name}</span><strong>{figure}</strong>{chart}<p>{about}</p></div>'
