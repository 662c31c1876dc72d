"""`python -m lockstep_workbench`: the same as `lockstep`."""

import sys

from lockstep_workbench.start import main

sys.exit(main())
