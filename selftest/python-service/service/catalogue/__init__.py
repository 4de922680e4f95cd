"""Everything that can be switched on, in one place."""

from .natural import NATURAL_BUGS
from .profiles import PROFILES
from .stated import STATED_BUGS

BUGS = STATED_BUGS + NATURAL_BUGS
BUG_NAMES = frozenset(bug.name for bug in BUGS)
PROFILE_NAMES = frozenset(profile.name for profile in PROFILES)
