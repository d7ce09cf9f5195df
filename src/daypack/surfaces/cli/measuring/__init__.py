"""The commands that measure answers: suites of the user, and made sets."""
