"""One reader each for JSON, YAML and XML that keeps line and column, and the places of the
characters of a text.

Knows no system; each importer words its own findings. Start at ``places``.
"""
