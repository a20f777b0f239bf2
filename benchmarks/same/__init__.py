"""``./dev same BEFORE [AFTER]``: what two revisions say of the same files, and where it differs.

``run`` fetches the revisions and compares, ``inputs`` writes the files that both read, ``said`` is
run in each revision and writes everything that crosses a published border there.
"""
