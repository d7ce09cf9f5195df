"""Coverage-guided fuzzing of everything that parses: see `fuzz.targets`.

    make fuzz                      a minute for each target; SECONDS=3600 for hours, TARGETS="filters fences" for some
    python -m fuzz filters FILE    run a target on an input that was found

An input that fails is written to fuzz/found; with a small copy of it in fuzz/corpus the test suite holds the repair.
"""
