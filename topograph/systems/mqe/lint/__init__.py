"""The lint rules EL-01 to EL-09 (outcomes.md 4.2): a module a rule, with its record."""
