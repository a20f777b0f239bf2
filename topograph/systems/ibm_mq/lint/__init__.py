"""The lint rules ML-01 to ML-15 (outcomes.md 4.3): a module a rule, with its record."""
