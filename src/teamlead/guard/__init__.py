"""The rules that a model which leads is held to, at the moment it reads or edits."""
