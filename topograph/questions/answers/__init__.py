"""The answers: frozen records whose fields are the JSON contract (DESIGN section 4.2).

``to_dict`` gives exactly the JSON form: a trailing ``_`` of a field name is dropped (``from_`` is
``from``), enums are their text, tuples are lists. Fields may be added, never renamed.

The names of this package are those that its stub lists (``__init__.pyi``), each imported when it is
first asked for: making all these records takes as long as answering a question.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
