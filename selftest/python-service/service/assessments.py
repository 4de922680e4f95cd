"""The stored assessments."""

ERROR_FIELDS = ("error_message", "error_details", "error_step", "error_type")


class AssessmentStore:
    def __init__(self, settings):
        self._settings = settings
        self._assessments = {}

    def add(self, assessment):
        self._assessments[assessment["id"]] = assessment

    def find(self, assessment_id):
        """The assessment as it is sent, or None."""
        assessment = self._assessments.get(assessment_id)
        if assessment is None:
            return None
        sent = dict(assessment)
        if self._settings.bug("assessment-errors-omitted"):
            for field in ERROR_FIELDS:
                if sent[field] is None:
                    del sent[field]
        if self._settings.way("extra-fields"):
            sent.update(labels=["kyc", "annual"], updated_by_id=None, progress={"done": 3, "total": 7})
        return sent
