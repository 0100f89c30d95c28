"""The commands that an audit may use, each with every option it may be given: any other might write."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

DIGITS = "0123456789"


class Reader(NamedTuple):
    flags: str
    """Short options."""
    long: frozenset[str]
    """Long options, with or without `=value`."""
    valued: str = ""
    """Short options with a value, in the same word or the next one."""
    patterns: str = ""
    """The same, where the value is text to search for, not a path."""
    operands: Literal["paths", "pattern first", "none"] = "paths"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DIFF_FLAGS = "pusbwzaRWtrcmMCBD%" + DIGITS
_DIFF = _names(
    """
    patch no-patch unified stat numstat shortstat dirstat compact-summary summary raw name-only
    name-status cached staged merge-base color no-color word-diff color-words word-diff-regex
    diff-filter minimal patience histogram diff-algorithm ignore-all-space ignore-space-change
    ignore-space-at-eol ignore-blank-lines find-renames no-renames find-copies find-copies-harder
    function-context full-index binary abbrev check text exit-code quiet relative no-relative
    no-ext-diff no-textconv pickaxe-all pickaxe-regex inter-hunk-context src-prefix dst-prefix
    no-prefix ignore-submodules base ours theirs combined-all-paths cc diff-merges
    """
)
_LOG = _DIFF | _names(
    """
    oneline graph decorate no-decorate decorate-refs all branches tags remotes author committer grep
    all-match invert-grep regexp-ignore-case extended-regexp fixed-strings perl-regexp since after
    until before max-count skip merges no-merges first-parent follow format pretty date reverse
    topo-order date-order author-date-order abbrev-commit no-abbrev-commit source full-history
    simplify-merges ancestry-path left-right cherry cherry-pick cherry-mark left-only right-only
    no-walk walk-reflogs no-notes use-mailmap parents children full-diff min-parents max-parents not
    boundary
    """
)
_LOG_READER = Reader(_DIFF_FLAGS + "giqFEP", _LOG, valued="nULl", patterns="SG")

GIT: Mapping[str, Reader] = {
    "log": _LOG_READER,
    "show": _LOG_READER,
    "diff": Reader(_DIFF_FLAGS, _DIFF, valued="Ul", patterns="SG"),
    "status": Reader(
        "sbvzunormal",
        _names("short branch porcelain long verbose untracked-files ignored show-stash no-renames"),
    ),
    "blame": Reader(
        "wsltepfncMCb",
        _names("porcelain line-porcelain show-email show-name show-number date since root"),
        valued="L",
    ),
    "grep": Reader(
        "nilLcwvEFPGhHopWIaqz" + DIGITS,
        _names(
            """
            cached untracked line-number ignore-case files-with-matches name-only
            files-without-match count word-regexp invert-match extended-regexp fixed-strings
            perl-regexp basic-regexp only-matching show-function function-context context
            after-context before-context max-count max-depth heading break color no-color and or not
            all-match full-name column
            """
        ),
        valued="ABCm",
        patterns="e",
        operands="pattern first",
    ),
    "ls-files": Reader(
        "comdskutvz",
        _names("cached others modified deleted stage unmerged killed exclude-standard full-name eol abbrev"),
    ),
    "rev-parse": Reader(
        "q",
        _names(
            """
            verify short abbrev-ref symbolic-full-name show-toplevel show-prefix show-cdup git-dir
            git-common-dir is-inside-work-tree is-bare-repository all branches tags quiet
            """
        ),
    ),
}

FILES: Mapping[str, Reader] = {
    "cat": Reader("AbeEnstTuv", _names("number number-nonblank show-all show-ends show-tabs squeeze-blank")),
    "head": Reader("qvz" + DIGITS, _names("lines bytes quiet silent verbose"), valued="nc"),
    "tail": Reader("qvz" + DIGITS, _names("lines bytes quiet silent verbose"), valued="nc"),
    "wc": Reader("clmwL", _names("bytes chars lines words max-line-length")),
    "ls": Reader(
        "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
        _names(
            """
            all almost-all classify color directory file-type full-time group-directories-first
            human-readable indicator-style inode no-group numeric-uid-gid recursive reverse size
            sort time time-style
            """
        ),
        valued="ITw",
    ),
    "grep": Reader(
        "abcEFGhHiIlLnoPqrRsTUvwxyzZ" + DIGITS,
        _names(
            """
            after-context before-context context color colour count extended-regexp fixed-strings
            perl-regexp basic-regexp files-with-matches files-without-match ignore-case invert-match
            line-number line-regexp max-count no-filename with-filename no-messages null
            only-matching quiet recursive regexp text word-regexp include exclude exclude-dir
            binary-files byte-offset
            """
        ),
        valued="ABCmdD",
        patterns="e",
        operands="pattern first",
    ),
    "rg": Reader(
        "abcFHhiIlnNopPqsSuUvwx0",
        _names(
            """
            after-context before-context context color colors column count count-matches
            files-with-matches files-without-match fixed-strings glob iglob heading no-heading
            hidden ignore-case smart-case case-sensitive invert-match json line-number
            no-line-number line-regexp max-columns max-count max-depth multiline multiline-dotall
            no-filename with-filename no-ignore no-ignore-vcs no-messages only-matching passthru
            pcre2 pretty quiet regexp replace sort sortr stats text trim type type-not unrestricted
            vimgrep word-regexp no-config
            """
        ),
        valued="ABCgmMtTjr",
        patterns="e",
        operands="pattern first",
    ),
}

_AUDIT = Reader(
    "",
    _names("json omit include audit-level production prod dev no-optional parseable level groups"),
    operands="none",
)
PACKAGES: Mapping[tuple[str, ...], Reader] = {
    ("npm", "audit"): _AUDIT,
    ("pnpm", "audit"): _AUDIT,
    ("yarn", "audit"): _AUDIT,
    ("yarn", "npm", "audit"): Reader(
        "AR", _names("all recursive json severity environment"), operands="none"
    ),
}

FIND_PLACES = _names("-H -L -P")
FIND_WORDS = _names(
    """
    ( ) ! , -not -a -and -o -or -true -false -print -print0 -ls -prune -quit -depth -d -mount -xdev
    -follow -empty -readable -writable -executable -nouser -nogroup -daystart -noleaf
    """
)
FIND_VALUED = _names(
    """
    -name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size
    -perm -user -group -uid -gid -links -inum -mtime -mmin -ctime -cmin -atime -amin -newer -anewer
    -cnewer -newermt -maxdepth -mindepth -lname -ilname -printf -fstype -used
    """
)
