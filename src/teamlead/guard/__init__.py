"""What holds a model that leads to its rules: in a person's own Claude Code, or through the command line.

hook.py        answers Claude Code before and after a tool is used; must be quick, so it imports little
events.py      what each of its events means for a lead, and what the user says in it
calls.py       a call of a tool, judged
delegation.py  to whom a kind of work goes
lookup.py      how much of which files a lead may read and search; purposes.py what for
trivial.py     which edits of a document are trivial; spelling.py which words are only misspelt
shell.py       a shell command as what it reads, or a refusal
sessions.py    what is remembered of one session of Claude Code
edits.py       a lead's own edits: what was allowed, and whether more was changed
log.py         every use, one line each
installing.py  the entries in Claude Code's settings
"""
