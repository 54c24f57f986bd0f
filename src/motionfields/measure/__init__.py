"""Trials, benchmark tables, pictures, and checkers for the contracts that users implement."""
