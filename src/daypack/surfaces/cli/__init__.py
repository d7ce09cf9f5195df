"""The command line: stdout is data, stderr is for people, exit codes are documented."""
