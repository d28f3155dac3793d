"""The package regex, whose functions are those of re."""

from re import (
    A, ASCII, DOTALL, I, IGNORECASE, M, MULTILINE, Match, Pattern, S, U, UNICODE, VERBOSE, X,
    compile, error, escape, findall, finditer, fullmatch, match, purge, search, split, sub, subn)
