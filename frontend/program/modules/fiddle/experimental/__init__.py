"""fiddle.experimental."""
