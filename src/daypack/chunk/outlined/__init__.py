"""Languages that are cut by their lines, because they have no grammar or because its definitions are not theirs."""
