"""Pictures of a network and of answers about it. Start with ``scene`` (what a picture is), then
``picture`` (how an answer becomes one).

``layout`` places the servers (``bubbles``, ``blocks``, ``clusters``), ``neighbourhood`` chooses
them in a large network; ``page`` writes a scene as HTML, ``formats`` for other tools, ``view`` as a
pyvis network. May import the questions' answers and texts, and the records of servers and links.
"""

if __name__ != "topograph.viz":
    raise ImportError(
        "import this package as topograph.viz; under the name 'viz' its modules would exist twice"
    )
