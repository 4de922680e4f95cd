"""A task-assignment, assessment and audit-export service on the standard library."""
