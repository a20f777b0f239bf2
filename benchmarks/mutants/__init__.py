"""Random changes of the code, to see whether the quick tests notice them."""
