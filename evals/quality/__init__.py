"""Rankings and packs on sets of questions with known evidence: datasets → systems → measures → report.

code/ holds packs and relations of code against what they promise, on any project.
"""
