"""The exported files."""
