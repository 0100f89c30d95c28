"""What the outside reports or asks, one file a family.

Facts carry checked values: text is parsed before it becomes one.

Facts about an attempt name its number; one that is not the live attempt of its task is stale and changes
nothing. What an agent says while it works is different: it waits for the answer, so it is refused.
"""

from teamlead.core.facts.attempts import *
from teamlead.core.facts.attempts import AttemptFact
from teamlead.core.facts.base import *
from teamlead.core.facts.commands import *
from teamlead.core.facts.commands import Command
from teamlead.core.facts.preflight import *
from teamlead.core.facts.preflight import PreflightFact
from teamlead.core.facts.session import *
from teamlead.core.facts.session import SessionFact
from teamlead.core.facts.talk import *
from teamlead.core.facts.talk import Talk
from teamlead.core.facts.whole_plan import *
from teamlead.core.facts.whole_plan import WholePlanFact

AnyFact = SessionFact | AttemptFact | WholePlanFact | PreflightFact | Talk | Command
