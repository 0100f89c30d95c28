import sys
from pathlib import Path

# The helpers of this folder are imported by their path from the root, under every import mode of pytest.
ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
