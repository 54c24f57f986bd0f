"""Trials, benchmark tables, pictures, and checkers of the contracts that users implement."""
