"""What was chosen on the command line."""

from dataclasses import dataclass

# Lawful profiles: other ways in what the contract leaves open.
PROFILES = {
    "csv-titled": "The CSV starts with three title lines and an empty line, and separates with semicolons.",
    "text-errors": "Errors are sent as plain text.",
    "other-statuses":
        "Updates are answered with 202 (and the task); invalid bodies with 422, a missing If-Match with 428.",
    "lagging-reads": "Tasks are read from a replica that is 300 ms behind.",
    "extra-fields": "Tasks, assignments and assessments carry additional members.",
    "short-comments": "Comments of more than 200 characters are refused with 400.",
    "local-dates": "With a timezone, dates are written as DD.MM.YYYY HH:MM:SS.sss without offset.",
    "other-pdf":
        "The PDF is in landscape, uncompressed, one line per event with fewer fields (no comment, three "
        "ids: event, auditee, entity).",
    "strict-unassign": "Unassigning an unassigned task is refused with 400.",
    "refuse-same": "Assigning to the one who already has the task is refused with 400.",
    "nano-versions": "updated_at has nine digits after the second.",
    "late-events": "Events can be read 500 ms after the update that they record.",
}


@dataclass(frozen=True)
class Settings:
    profile: str | None = None
    events: int = 1537
    seed: int = 20240611

    def way(self, name):
        """Is this lawful profile on?"""
        assert name in PROFILES, name
        return name == self.profile
