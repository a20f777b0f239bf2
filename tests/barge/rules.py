"""What barges do: deliver, or hand over to a crane."""

from __future__ import annotations

from barge.facts import Barge
from topograph.forwarding.graph import Guard, Server
from topograph.message import Message
from topograph.outcomes import Outcome, Truth
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import FactSource, System
from topograph.tracing.states import Handover, Seam, State, Stepping, Transition, Verdict, Way
from topograph.tracing.trace import Ending


def stepping(barges: dict[str, Barge]) -> Stepping:
    def step(state: State) -> Transition:
        own = barges[state.server]
        if own.back:
            server, _, name = own.back.partition("/")
            return Transition(
                (
                    Way(
                        Handover("crane", State(server, name)),
                        "back to a crane",
                        "BA-2",
                        source=own.source,
                    ),
                )
            )
        ending = Ending(Outcome.DELIVERED, {"destination": f"{state.server}/{state.object}"})
        return Transition((Way(ending, "aboard", "BA-1", source=own.source),))

    def enter(server: str, message: Message) -> State:
        return State(server, message.destination.name)

    def evaluate(guard: Guard, message: Message) -> Verdict:
        return Verdict(Truth.TRUE)

    servers = [Server(name, "barge", True, barges[name].source) for name in sorted(barges)]
    return Stepping(
        servers, lambda: [State(name, "hold") for name in sorted(barges)], enter, step, evaluate
    )


def load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    return stepping({fact.server: fact for fact in source.facts() if isinstance(fact, Barge)})


SYSTEM = System(
    name="barge",
    title="Barge",
    stepping=load,
    destinations={"queue": "stepping"},
    seams=(
        Seam(
            "crane",
            "barge",
            lambda state: State(state.server, "hold"),
            "the object it was on is lost",
        ),
    ),
)
