"""The facts of a generated file equal what was written into it."""

from hypothesis import given
from hypothesis import strategies as st

from topograph.facts.ems import EmsBridge, EmsDestination, EmsDurable, EmsRoute
from topograph.importers.ems import parse_text

WORD = st.text(alphabet="abcXYZ019_-#", min_size=1, max_size=6).filter(
    lambda word: not word.startswith("#")
)
NAME = st.lists(WORD, min_size=1, max_size=3).map(".".join)
PATTERN = st.one_of(
    NAME, st.just(">"), NAME.map(lambda name: f"{name}.>"), NAME.map(lambda name: f"*.{name}")
)
LITERAL = st.text(alphabet="abc \u2019\u2013\u00e9%<>=,[]#;", max_size=5).map(
    lambda text: f"'{text}'"
)
SELECTOR = st.lists(st.tuples(WORD, LITERAL), min_size=1, max_size=2).map(
    lambda parts: " AND ".join(f"{name} = {literal}" for name, literal in parts)
)
BLANKS = st.sampled_from(["", " ", "\t", "   "])
LINE_END = st.sampled_from(["\n", "\r\n"])
NOISE = st.sampled_from(["", "# [note] x=y\n", "\n", "  ; \u2019quoted\u2019\n"])

Route = tuple[str, list[str], str | None, str | None, list[tuple[str, str, str]]]

ROUTES: st.SearchStrategy[list[Route]] = st.lists(
    st.tuples(
        WORD,
        st.lists(
            WORD.map(lambda host: f"tcp://{host.replace('#', '').replace('_', '')}h:7222"),
            min_size=1,
            max_size=2,
        ),
        st.none() | WORD,
        st.none() | st.sampled_from(["1hop", "mhop"]),
        st.lists(
            st.tuples(st.sampled_from(["incoming", "outgoing"]), PATTERN, SELECTOR), max_size=3
        ),
    ),
    max_size=4,
    unique_by=lambda route: route[0],
)


@given(ROUTES, BLANKS, LINE_END, NOISE, st.booleans(), st.booleans())
def test_routes_written_are_routes_read(
    routes: list[Route], blanks: str, line_end: str, noise: str, quoted: bool, strict: bool
) -> None:
    text = noise
    for name, urls, zone, zone_type, selectors in routes:
        text += f"[{name}]\n{noise}{blanks}url{blanks}={blanks}{','.join(urls)}{blanks}\n"
        text += f"{blanks}zone_name={zone}\n" if zone else ""
        text += f"zone_type={zone_type}\n" if zone_type else ""
        for direction, topic, selector in selectors:
            shown = f'"{topic}"' if quoted else topic
            text += f'{blanks}{direction}_topic={shown} {blanks}selector{blanks}="{selector}"\n'
    facts = parse_text("routes.conf", text.replace("\n", line_end), strict, server="S").facts
    assert [
        (
            fact.name,
            list(fact.url),
            fact.zone_name if "name" in fact.zone_stated else None,
            fact.zone_type if "type" in fact.zone_stated else None,
            [(entry.direction, entry.topic, entry.selector) for entry in fact.selectors],
        )
        for fact in facts
        if isinstance(fact, EmsRoute)
    ] == routes


FLAG = st.sampled_from(["global", "secure", "sender_name"])
VALUE = st.tuples(
    st.sampled_from(["maxbytes", "maxmsgs", "store"]),
    st.sampled_from(["1", "10MB", "$sys.failsafe"]),
)
LISTED = st.tuples(
    st.sampled_from(["import", "export"]), st.sampled_from(["RV01,RV02", "RV01, RV02"])
)
PROPERTIES = st.lists(
    FLAG.map(lambda flag: (flag, "true")) | VALUE | LISTED,
    max_size=4,
    unique_by=lambda entry: entry[0],
)
DESTINATIONS = st.lists(st.tuples(st.lists(WORD, max_size=2), PATTERN, PROPERTIES), max_size=5)


@given(DESTINATIONS, st.sampled_from([",", ", "]), BLANKS, LINE_END, st.booleans())
def test_topics_written_are_topics_read(
    topics: list[tuple[list[str], str, list[tuple[str, str]]]],
    comma: str,
    blanks: str,
    line_end: str,
    strict: bool,
) -> None:
    text = ""
    for jndi, name, properties in topics:
        written = comma.join(
            key if value == "true" else f'{key}="{value}"' if "," in value else f"{key}={value}"
            for key, value in properties
        )
        names = f"[{','.join(jndi)}]" if jndi else ""
        text += f"{blanks}{names}{name} {blanks}{written}{blanks}{line_end}"
    parsed = parse_text("topics.conf", text, strict, server="S")
    assert [
        (list(fact.jndi), fact.name, list(fact.properties))
        for fact in parsed.facts
        if isinstance(fact, EmsDestination)
    ] == topics
    assert parsed.findings == ()


BRIDGES = st.lists(
    st.tuples(
        st.sampled_from(["topic", "queue"]),
        PATTERN,
        st.sampled_from(["topic", "queue"]),
        NAME,
        st.just("") | SELECTOR,
    ),
    max_size=5,
    unique_by=lambda bridge: bridge[:4],
)


@given(BRIDGES, st.sampled_from([":", ": "]), st.booleans())
def test_bridges_written_are_bridges_read(
    bridges: list[tuple[str, str, str, str, str]], colon: str, strict: bool
) -> None:
    text = ""
    for source_type, source, target_type, target, selector in bridges:
        text += f"[{source_type}{colon}{source}]\n  {target_type}={target}" + (
            f' selector="{selector}"\n' if selector else "\n"
        )
    assert [
        (fact.source_type, fact.source_name, fact.target_type, fact.target_name, fact.selector)
        for fact in parse_text("bridges.conf", text, strict, server="S").facts
        if isinstance(fact, EmsBridge)
    ] == bridges


DURABLES = st.lists(
    st.tuples(PATTERN, WORD, st.just("") | WORD, st.booleans(), st.just("") | SELECTOR),
    max_size=5,
    unique_by=lambda durable: (durable[1], durable[2]),
)


@given(DURABLES, st.sampled_from([",", ", ", " "]), st.booleans())
def test_durables_written_are_durables_read(
    durables: list[tuple[str, str, str, bool, str]], separator: str, strict: bool
) -> None:
    text = ""
    for topic, name, client, no_local, selector in durables:
        properties = [f"clientid={client}"] if client else []
        properties += ["nolocal"] if no_local else []
        properties += [f'selector="{selector}"'] if selector else []
        text += f"{topic} {name} {separator.join(properties)}\n"
    assert [
        (fact.topic, fact.name, fact.client_id, fact.no_local, fact.selector)
        for fact in parse_text("durables.conf", text, strict, server="S").facts
        if isinstance(fact, EmsDurable)
    ] == durables
