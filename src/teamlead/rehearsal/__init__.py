"""A model that follows a script, so that real programs can be rehearsed: no account, no cost, no surprise."""
