"""`python -I -S wardens [DESCRIPTOR MARK]`: a nursery with its requests there; else, it tells if one can run.

`python -I -S wardens enter DESCRIPTOR`: becomes what the order there says, without a warden.
"""

import os.path
import sys

# Last, so that nothing beside this package takes the place of the standard library.
sys.path.append(os.path.abspath(f"{__file__}/../../../.."))  # noqa: PTH100 - pathlib costs start-up time

from teamlead.system.wardens.nursery import main
from teamlead.system.wardens.steps import become

if sys.argv[1:2] == ["enter"]:
    become(int(sys.argv[2]))
else:
    main(sys.argv[1:])
