"""Source code as its parser sees it: comments, white space and the kind of quotes are nothing.

languages.py   which language a file is in
tokens.py      its words, where we have no parser
brackets.py    the same words in their brackets: where something begins and ends
statements.py  its statements, in a form in which the same are equal
functions.py   its functions, with their parameters and bodies
"""
