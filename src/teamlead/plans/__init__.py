"""Plans that people write in Markdown: reading, checking and drawing them.

    file ─load─► text ─markdown─► Draft ─validate─► Plan and problems ─drawing─► terminal, mermaid

Reading never stops at the first problem: what cannot be read becomes a `Problem` with its line.
"""
