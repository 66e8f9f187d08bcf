"""Words and names for people to read."""


def printable(text: str) -> str:
    """Return the text with control characters spelled out: a name from a file must not steer the terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def amount(number: int, thing: str) -> str:
    """Return a number and its noun, as in "1 part" and "12,000 parts"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
