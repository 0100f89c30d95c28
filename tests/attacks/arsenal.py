"""All attacks."""

from tests.attacks.by_work import BY_WORK
from tests.attacks.on_git import ON_GIT
from tests.attacks.on_home import ON_HOME
from tests.attacks.on_the_lead import ON_THE_LEAD
from tests.attacks.on_the_machine import ON_THE_MACHINE

ATTACKS = (*ON_GIT, *ON_HOME, *ON_THE_LEAD, *ON_THE_MACHINE, *BY_WORK)
