"""Teams that people describe in Markdown: finding them, choosing one, reading and checking it.

    task ──selection──► the head of one ──┐
    files ─library─► Found ─load─► text ─markdown─► Draft ─validate─► Preset and problems

Choosing reads heads only (front matter), and loads nothing that is slow to import.
"""
