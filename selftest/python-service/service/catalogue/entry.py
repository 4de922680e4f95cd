"""One line of the catalogue: a profile or a bug that can be switched on."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Entry:
    name: str
    kind: str  # "profile", "stated" or "natural"
    sentence: str  # the contract's words, or the natural reading
    effect: str

    def as_json(self):
        return asdict(self)
