"""Questions: what can be asked, each a record (name, parameters, answer) and a function from a
network to a frozen answer.

May import engines, systems, selectors and the vocabulary. Start at ``answers`` for the shapes."""
