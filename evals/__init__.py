"""Measurements of Daypack: how good its answers are, and how fast.

    quality/   rankings and packs on public sets, beside peers: `python -m evals`
    bench/     the benchmark of the sources door, on sets that are made: `python -m evals.bench`
    speed/     timings beside their targets: `python -m evals.speed`

It stands beside the package, in a distribution of its own, and uses its public interface.
"""
