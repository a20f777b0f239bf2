"""Pictures of a network and of answers about it. Start with ``scene.records`` (what a picture is),
then ``scene.picture`` (how an answer becomes one).

``layout`` places the servers, ``scene`` says what is drawn, ``svg`` and ``page`` write a scene,
``formats`` writes it for other tools, ``view`` as a pyvis network, ``report`` writes a report. May
import the questions' answers and texts, and the records of servers and links.
"""

if __name__ != "topograph.viz":
    raise ImportError(
        "import this package as topograph.viz; under the name 'viz' its modules would exist twice"
    )
