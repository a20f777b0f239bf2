"""Texts of selectors and values of properties, drawn by hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st


def sums_of(leaves: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Arithmetic over some numbers and properties."""
    return st.recursive(
        leaves,
        lambda inner: (
            st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner)
            | inner.map("-{}".format)
        ),
        max_leaves=4,
    )


NAMES = ("a", "b", "c", "JMSType")
names = st.sampled_from(NAMES)
strings = st.sampled_from(["'x'", "''", "'50%'", "'it''s'", "'é'"])
numbers = st.sampled_from(["0", "1", "-1", "7.", ".5", "0x10", "1E2", "9223372036854775807"])
sums = sums_of(names | numbers)
predicates = st.one_of(
    names,
    st.sampled_from(["TRUE", "FALSE"]),
    st.builds("{} {} {}".format, sums, st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), sums),
    st.builds("{} {} {}".format, names, st.sampled_from(["=", "<>"]), strings),
    st.builds("{} {}BETWEEN {} AND {}".format, sums, st.sampled_from(["", "NOT "]), sums, sums),
    st.builds("{} {}IN ({}, {})".format, names, st.sampled_from(["", "NOT "]), strings, strings),
    st.builds("{} {}LIKE {}".format, names, st.sampled_from(["", "NOT "]), strings),
    st.builds("{} IS {}NULL".format, names, st.sampled_from(["", "NOT "])),
)
conditions = st.recursive(
    predicates,
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from(["AND", "OR"]), inner)
        | inner.map("NOT ({})".format)
    ),
    max_leaves=6,
)
values = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-3, 3),
    st.floats(),
    st.sampled_from(["x", "", "50%", "it's", "é"]),
)
