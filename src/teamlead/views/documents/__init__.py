"""What the outside reads: every shape of the JSON that commands print and files hold, and no other.

- Keys are snake_case; docs/concepts/glossary.md says which word stands for what.
- Every key is always there. A text that there is none of is empty; all else that there is none of is null.
- A plural is a list; how many there are ends in `_total`.
- Moments are UTC in ISO 8601, and end in `_at`, but for `since`, `until` and `deadline`.
"""
