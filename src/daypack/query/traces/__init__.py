"""The stack traces and other lines of output that name places in files.

frames.py    the frames of a trace: file, line, function and depth
places.py    the places in output of tests, compilers and linters
quoting.py   the marks before the lines of a trace that is quoted
"""
