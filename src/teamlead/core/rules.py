"""The rules that agents and the lead are held to, each with its level."""

from typing import Literal

Level = Literal["L1", "L2", "L3"]
"""L1: hard, code enforces it, nothing overrides it. L2: soft, a recorded reason overrides it. L3: advice."""
