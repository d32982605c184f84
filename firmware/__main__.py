"""``python -m firmware`` is ``pilewatch``."""

import signal
import sys

from firmware.cli import main

code = main()
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is left that could be interrupted
sys.exit(code)
