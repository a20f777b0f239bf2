"""The servers of an answer of ``reach`` as columns, where the walk is a tree of paths that messages
take for certain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topograph.forwarding.graph import STEPPING
from topograph.forwarding.path_tree import PathTree
from topograph.forwarding.reached import Reached
from topograph.forwarding.servers import names_of
from topograph.questions.answers import Step
from topograph.questions.answers.reached import ReachedServers
from topograph.questions.model import Part
from topograph.questions.steps import PathBook


def certain_tree(part: Part, found: Reached) -> PathTree | None:
    """The paths of a walk, where they make a tree and nothing has to be said of each but the path:
    messages wait on none, none is chosen at run time, links have neither costs nor names, and the
    points entered say all of the steps. Else None."""
    graph = part.graph
    plain = (
        graph.system != STEPPING
        and graph.forward_of is None
        and not (part.system.capabilities.has_costs or graph.holding)
        and not (found.uncertain or found.passed_over)
    )
    return found.paths if plain and isinstance(found.paths, PathTree) else None


def reached_servers(part: Part, tree: PathTree) -> ReachedServers:
    """The servers with a path, by number. Linear, with a step for none but those whose entries are
    read."""
    graph, points = part.graph, tree.points
    names = names_of(graph.servers)
    before = tree.before.tolist()

    def steps(places: Sequence[int]) -> list[Step]:
        book = PathBook(part)
        book.look_up([points[list(places)].tolist()])
        return [book.step(int(points[before[place]]), int(points[place])) for place in places]

    return ReachedServers(
        [names[server] for server in tree.servers.tolist()],
        before,
        graph.columns.zone.at(points.astype(np.int64)),
        tree.by_server().tolist(),
        graph.system,
        steps,
    )
