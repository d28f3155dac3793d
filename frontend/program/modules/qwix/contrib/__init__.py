"""Parts of Qwix that are not final."""
