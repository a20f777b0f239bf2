"""The engine of pages: modules that answer questions from the data of ``topograph.portable``, in a
browser as in node.

``engine.js`` is the entry, ``questions.js`` the table of questions, ``walks.js`` the walk. They
touch no document, name no vendor, and import nothing from outside of this folder.
"""
