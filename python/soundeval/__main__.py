"""``python -m soundeval`` is the command ``soundeval``."""

import sys

from soundeval.cli import main

if __name__ == "__main__":
    sys.exit(main())
