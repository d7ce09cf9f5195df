"""`python -m daypack` is the command `daypack`."""

from daypack.surfaces.cli.main import main

main()
