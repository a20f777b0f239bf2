"""The forwarding graph: one shape for all systems (DESIGN section 2.1). Points, forwards,
guards, and walks that never return to a server. May import the vocabulary only. Start at
``graph``."""
