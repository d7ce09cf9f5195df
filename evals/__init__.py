"""The evaluation harness: datasets → systems → measures.

It stands beside the package and uses its public API only.
"""
