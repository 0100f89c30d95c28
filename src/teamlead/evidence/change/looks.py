"""All that is looked at of a change itself."""

from collections.abc import Callable, Iterable
from functools import cache

from teamlead.core.evidence.values import Evidence
from teamlead.evidence.change.changed_code import examine_code
from teamlead.evidence.change.comparison_hooks import examine_comparison_hooks
from teamlead.evidence.change.documented_names import examine_documented_names
from teamlead.evidence.change.foreign_parts import examine_foreign_parts
from teamlead.evidence.change.form_only import examine_form_only
from teamlead.evidence.change.generated_files import examine_generated
from teamlead.evidence.change.gone_names import examine_gone_names
from teamlead.evidence.change.idle_tests import examine_idle_tests
from teamlead.evidence.change.known_answers import examine_known_answers
from teamlead.evidence.change.left_out import examine_left_out
from teamlead.evidence.change.leftovers import examine_leftovers
from teamlead.evidence.change.named_things import examine_named_things
from teamlead.evidence.change.outside_reads import examine_outside_reads
from teamlead.evidence.change.silenced import examine_silenced
from teamlead.evidence.change.swallowed import examine_swallowed
from teamlead.evidence.change.switched_on import examine_switched_on
from teamlead.evidence.change.taken_back import examine_taken_back
from teamlead.evidence.change.twins import examine_twins
from teamlead.evidence.change.unfinished import examine_unfinished
from teamlead.evidence.change.unused_names import examine_names_used
from teamlead.evidence.weakening.files_of_tests import Text, read_texts
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

MOST_FILES = 500


def changed_texts(git: Git, claim: Claim) -> Callable[[], list[Text]]:
    """Reads them when they are first wanted, and once."""
    paths = [change.path for change in claim.changes if "\n" not in change.path]
    return cache(lambda: read_texts(git, claim.base, claim.commit, paths[:MOST_FILES]))


def looks_at_change(
    git: Git, claim: Claim, texts: Callable[[], list[Text]]
) -> tuple[Callable[[], Iterable[Evidence]], ...]:
    return (
        lambda: examine_code(git, claim, texts()),
        lambda: examine_form_only(claim, texts()),
        lambda: examine_taken_back(git, claim, texts()),
        lambda: examine_unfinished(texts()),
        lambda: examine_gone_names(claim, texts()),
        lambda: examine_names_used(git, claim, texts()),
        lambda: examine_named_things(git, claim, texts()),
        lambda: examine_left_out(git, claim, texts()),
        lambda: examine_twins(git, claim, texts()),
        lambda: examine_known_answers(git, claim, texts()),
        lambda: examine_outside_reads(claim, texts()),
        lambda: examine_comparison_hooks(claim, texts()),
        lambda: examine_foreign_parts(git, claim, texts()),
        lambda: examine_swallowed(claim, texts()),
        lambda: examine_silenced(claim, texts()),
        lambda: examine_switched_on(texts()),
        lambda: examine_idle_tests(git, claim, texts()),
        lambda: examine_leftovers(git, claim),
        lambda: examine_documented_names(git, claim),
        lambda: examine_generated(git, claim, texts()),
    )
