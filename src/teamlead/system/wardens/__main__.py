"""`python -I -S wardens [DESCRIPTOR MARK]`: a nursery, its requests there; else, whether one could run."""

import os.path
import sys

# Last, so that nothing beside this package takes the place of the standard library.
sys.path.append(os.path.abspath(f"{__file__}/../../../.."))  # noqa: PTH100 - pathlib costs start-up time

from teamlead.system.wardens.nursery import main

main(sys.argv[1:])
