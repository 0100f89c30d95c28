"""Working copies of the user's repository, one a task, and the way of their work back to it.

A worktree shares refs and configuration with the repository, so an agent inside it can reach both: this is
for agents one trusts with the repository.
"""
