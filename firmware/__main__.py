"""``python -m firmware`` is ``pilewatch``."""

import sys

from firmware.cli import main

sys.exit(main())
