"""Signals of the texts of a pool. The stages before count words and compare vectors, and read none.

pool        the texts, read when a signal asks
exact       the highest value of the signals for things that the question spells or names
wording     how near the words of a text are to those of the question, one by one
quotations  the texts that hold a quoted string, or a whole sentence of the question
keys        the texts that hold an option, a variable, a route or a name with hyphens or dots
constants   the chunks of code that give a name its value
names       how much of a name of code or a file the question says, and the keys of memories that it says
numbers     the texts that begin with a section whose number the question names
interfaces  the variables and outputs of modules of Terraform, which say in words what resources do
packages    the packages that a question names, and the files in others
translations  the files that say in another language what a file of the pool says
messages    how much of a pasted message code holds, letter for letter
statements  the code that is more than comments and declarations, for a failure or a change
reasons     the texts that say why, for a question that asks why
dated       the texts that say since which version a thing is so
variables     the environment variables that a text names
requirements  the line that says which version the project has, or needs of another program
introductions  the texts that introduce the whole project
facts       the texts that state a fact about the whole project: licence, dependencies, checks
"""
