"""What was chosen on the command line."""

from dataclasses import dataclass

from .catalogue import BUG_NAMES, PROFILE_NAMES


@dataclass(frozen=True)
class Settings:
    port: int = 0
    mail_port: int = 0
    profiles: frozenset = frozenset()
    bugs: frozenset = frozenset()
    events: int = 1537
    pdf_limit: int = 5000
    seed: int = 20240611

    def __post_init__(self):
        unknown = (self.profiles - PROFILE_NAMES) | (self.bugs - BUG_NAMES)
        if unknown:
            raise ValueError(f"unknown profile or bug: {', '.join(sorted(unknown))}")

    def way(self, name):
        """Is this lawful profile on?"""
        assert name in PROFILE_NAMES, name
        return name in self.profiles

    def bug(self, name):
        """Is this bug on?"""
        assert name in BUG_NAMES, name
        return name in self.bugs
