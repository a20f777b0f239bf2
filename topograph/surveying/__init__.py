"""What a folder of configuration holds, before it is asked: ``topograph survey`` and ``topograph
init``.

``records`` is the answer, ``found`` makes it of the plan of the import, ``texts`` writes it for
people, ``draft`` as a topograph.yaml; ``question`` describes it for the help and for programs.
Start at ``found.survey``. May import ``topograph.opening``
and what is below it.
"""
