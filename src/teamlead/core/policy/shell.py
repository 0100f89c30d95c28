"""A command line as the words that a shell would make of it, or a refusal to say.

Only what every shell reads alike is understood: words, quotes, and commands joined by `|`, `&&`, `||`, `;`.
Whatever makes a shell do more than start programs with these words (expansions, substitutions, redirections,
assignments, jobs) is `Unclear`, and so is what shells disagree about.
"""

from collections.abc import Iterator

BLANK = " \t"
UNCLEAR = {
    ">": "redirections (>) are not allowed",
    "<": "redirections (<) are not allowed",
    "`": "command substitution (`) is not allowed",
    "$": "variables and substitutions ($) are not allowed: write the value, or put single quotes around it",
    "(": "( is not allowed: put single quotes around it if it belongs to an argument",
    ")": ") is not allowed: put single quotes around it if it belongs to an argument",
    "{": "{ is not allowed: put single quotes around it if it belongs to an argument",
    "}": "} is not allowed: put single quotes around it if it belongs to an argument",
    "&": "background jobs (&) are not allowed",
}
GLOB = "*?["
HISTORY = "! is not allowed: put single quotes around it if it belongs to an argument"


class Unclear(Exception):
    """Why it cannot be said what the command would do."""


def commands(line: str) -> list[list[str]]:
    """The words of each command in the line, whether piped, chained or alone. Raises Unclear."""
    if not all(character.isprintable() or character == "\t" for character in line):
        raise Unclear("only one line of printable characters is allowed")
    found: list[list[str]] = [[]]
    for word in _words(line):
        if word is None:
            found.append([])
        else:
            found[-1].append(word)
    if not all(found):
        raise Unclear("there is an empty command")
    return found


def _words(line: str) -> Iterator[str | None]:
    """Each word; None where another command begins."""
    at = 0
    while at < len(line):
        if line[at] in BLANK:
            at += 1
        elif line.startswith(("||", "&&"), at):
            at += 2
            yield None
        elif line[at] == "&" or line.startswith("|&", at):
            raise Unclear(UNCLEAR["&"])
        elif line[at] in "|;":
            at += 1
            yield None
        else:
            word = _Word(line, at)
            at = word.end
            yield word.text


class _Word:
    """One word that begins at `start`."""

    def __init__(self, line: str, start: int) -> None:
        self.line, self.end, self.text = line, start, ""
        if line[start] in "~=#^":
            raise Unclear(
                f"a word that begins with {line[start]} is not allowed: put single quotes around it"
            )
        while self.end < len(line) and line[self.end] not in BLANK + "|&;":
            self._take(line[self.end])

    def _take(self, character: str) -> None:
        match character:
            case "'":
                self._single_quoted()
            case '"':
                self._double_quoted()
            case "\\":
                self.text += self._next()
                self.end += 2
            case _:
                self._check_bare(character)
                self.text += character
                self.end += 1

    def _single_quoted(self) -> None:
        closing = self.line.find("'", self.end + 1)
        if closing < 0:
            raise Unclear("a quote is not closed")
        quoted = self.line[self.end + 1 : closing]
        if quoted.endswith("\\"):
            # Some shells take \' for a quote inside of quotes.
            raise Unclear("a backslash before a closing quote is not allowed")
        self.text += quoted
        self.end = closing + 1

    def _double_quoted(self) -> None:
        self.end += 1
        while (character := self._here()) != '"':
            following = self._next()
            if character == "\\" and following in '$`"\\':
                self.text += following
                self.end += 2
                continue
            if character == "`" or (character == "$" and following != '"'):
                raise Unclear(UNCLEAR[character])
            if character == "!" and following not in BLANK:
                raise Unclear(HISTORY)
            self.text += character
            self.end += 1
        self.end += 1

    def _check_bare(self, character: str) -> None:
        if character in UNCLEAR:
            raise Unclear(UNCLEAR[character])
        if character == "!" and self.line[self.end + 1 : self.end + 2].strip(BLANK):
            raise Unclear(HISTORY)
        if character == "~" and self.text.endswith(("=", ":")):
            raise Unclear("~ is not allowed after = or :: put single quotes around it")
        if character in GLOB:
            self._check_glob()

    def _check_glob(self) -> None:
        """A pattern must not become an option, nor `..`: a file can have any name."""
        option = self.text.startswith("-") and "=" not in self.text
        if not self.text or option or self.text.rpartition("/")[2].startswith("."):
            raise Unclear(
                "a pattern must not begin a word or an option: write ./* or put single quotes around it"
            )

    def _here(self) -> str:
        if self.end >= len(self.line):
            raise Unclear("a quote is not closed")
        return self.line[self.end]

    def _next(self) -> str:
        if self.end + 1 >= len(self.line):
            raise Unclear("a quote or an escape is not finished")
        return self.line[self.end + 1]
