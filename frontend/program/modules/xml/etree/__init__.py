"""xml.etree."""
