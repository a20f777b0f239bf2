"""``./dev same BEFORE [AFTER]``: whether two revisions say the same of many estates.

For a change that is to change nothing: a move, a rename, a faster way to the same. ``BEFORE`` and
``AFTER`` are git revisions; without ``AFTER`` it is the work tree. Exit code 0 if nothing differs,
1 if anything does, 2 for wrong usage.

* ``inputs`` writes the estates once, and the questions about each (``questions``): the examples
  with the commands of their pages, the small estates and change scripts of the tests, the networks
  of the vectors, recorded routers, drawn estates, and those of ``./dev bench growth`` at their
  smaller sizes. They are those of the checkout that the command runs in.
* ``said`` runs once in each revision, both at the same time, and writes what crosses a published
  border. It uses nothing else, so that it runs in a revision whose modules had other names.
* ``comparing`` compares the two kind by kind and shows the first differences of each.

``known.toml`` lists, with the reason, what is no difference. Nothing that this command writes is
kept: it says that nothing changed, never that it is right.
"""
