"""NetworkX's functions, by Heddle's algorithms. Each takes a BackendGraph and the arguments of NetworkX's function, in
cases that interface.py has found fit; what is returned equals NetworkX's: dicts in order of distance, ints as ints."""
from __future__ import annotations

from .communities import *  # noqa: F403
from .components import *  # noqa: F403
from .links import *  # noqa: F403
from .measures import *  # noqa: F403
from .paths import *  # noqa: F403
from .ranks import *  # noqa: F403
from .structure import *  # noqa: F403
from .traversal import *  # noqa: F403
from .trees import *  # noqa: F403
from .weighted import *  # noqa: F403
