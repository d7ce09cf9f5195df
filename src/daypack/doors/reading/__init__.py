"""Reading that several doors share: walking folders, ignore rules, file formats, running a command."""
