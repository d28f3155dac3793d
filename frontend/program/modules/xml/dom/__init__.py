"""xml.dom."""
