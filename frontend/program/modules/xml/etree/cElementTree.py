"""xml.etree.cElementTree."""

from xml.etree.ElementTree import *
