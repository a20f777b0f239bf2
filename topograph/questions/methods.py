# Made by docs/make_question_code.py from the records and functions of questions: change those, and
# run it.
"""The questions of a network that are asked by a function alone: a method each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from topograph.questions.answers import (
        CyclesAnswer,
        HopsAnswer,
        ImpactAnswer,
        InterestsAnswer,
        PathsAnswer,
        ReachAnswer,
        ServicesAnswer,
        SummaryAnswer,
    )
    from topograph.questions.model import Model


class QuestionMethods:
    """What ``topograph.network.Network`` can be asked, but for what it writes itself."""

    _model: Model

    def reach(self, from_: str, to: str | None = None, reply: bool = False) -> ReachAnswer:
        """Which servers does a server reach, and over which path?

        Which servers a message published at ``from_`` can reach by routes and zones, topics and
        selectors left aside.

        With ``to`` the answer is about that one server. ``reply``: paths run from the other server
        back to ``from_``, as a reply to a temporary topic of ``from_`` does (R91). A server of
        another system is undetermined: nothing configured leads there. Raises UnknownServer. Linear
        in what is visited, on a legal network.
        """
        from topograph.questions import reach

        return reach.reach(self._model, from_, to, reply)

    def hops(self, from_: str, to: str) -> HopsAnswer:
        """How many hops is it from one server to another?

        How many routes a message from ``from_`` to ``to`` traverses, and how many inside each zone
        (R15); ``later`` as in ``reach``. Raises UnknownServer.
        """
        from topograph.questions import reach

        return reach.hops(self._model, from_, to)

    def paths(self, from_: str, to: str, maximum: int = 10) -> PathsAnswer:
        """Which paths lead from one server to another?

        The permitted paths from ``from_`` to ``to``, shortest first; more than one only on an
        illegal network (R20, A1). Raises UnknownServer; UsageError for a maximum below 1.
        """
        from topograph.questions import reach

        return reach.paths(self._model, from_, to, maximum)

    def cycles(self, strict: bool = False) -> CyclesAnswer:
        """Does any server have more than one path to another?

        ``legal_routes``, and which messages come back to where they were, for the systems that tell
        that: these need their facts.
        """
        from topograph.questions import cycles

        return cycles.cycles(self._model, strict)

    def interests(
        self,
        server: str | None = None,
        observed: Mapping[str, Sequence[tuple[str, str]]] | Literal["listed"] | None = None,
    ) -> InterestsAnswer:
        """Which names has each server learned, and from whom?

        The names each server (or one) holds, with the neighbour each was learned from (R21-R23).

        ``observed`` maps servers to (name, via) pairs seen on a running server (via empty if not
        known); the answer then lists what is missing from and what is unexpected in the
        observation. ``"listed"`` stands for what servers listed in the imported output of their
        tools: the answer then also holds the interest in topics that they listed. What the budget
        leaves out is undetermined: servers without a list of names, and servers that may hold more
        names than are listed. Raises UnknownServer. One walk a server on a legal network.
        """
        from topograph.questions import cycles

        return cycles.interests(self._model, server, observed)

    def services(
        self, address: str = "", *, server: str = "", listener: str = ""
    ) -> ServicesAnswer:
        """Which listener reaches which connector, and at what cost?

        The services of all addresses, of one ``address`` (with or without its type), those that
        have a listener or a connector at ``server``, or of the listeners of one name alone.

        Raises UnknownDestination for an address or a listener that no file has, UnknownServer,
        NotApplicable where no system of the network has services. One message is followed for each
        server and address of a listener.
        """
        from topograph.questions import services

        return services.services(self._model, address, server=server, listener=listener)

    def impact(
        self,
        fail: str | Sequence[str] = (),
        *,
        sweep: bool = False,
        rate: str = "",
        subscribers: str | Sequence[str] = (),
    ) -> ImpactAnswer:
        """What does the failure of a server, route or broker do?

        What happens if all of ``fail`` (``server:X``, ``route:A-B``, ``broker:C``, ``channel:C``,
        ...) fail together, or with ``sweep`` each alone. ``rate`` (``MESSAGES,BYTES`` a second,
        either may be left out) says how fast each destination fills what is stored of it.
        ``subscribers`` (``SERVER:DEST``) are added to those that are known.

        Computed in memory over the facts: failures change the routes themselves. Where the loaded
        files do not show the whole network, the answer is not exact. Raises UnknownServer,
        UsageError for a route or broker that is not there, NotApplicable where no part of the
        network can answer.
        """
        from topograph.questions import impact

        return impact.impact(self._model, fail, sweep=sweep, rate=rate, subscribers=subscribers)

    def summary(self) -> SummaryAnswer:
        """What is here, what is wrong, and what to ask next?

        What a network consists of, whether it is legal, what is wrong with it, what is not known,
        and which commands to go on with.

        As ``check`` and ``cycles``, whose answers it holds in short: linear on a legal network.
        """
        from topograph.questions import summary

        return summary.summary(self._model)
