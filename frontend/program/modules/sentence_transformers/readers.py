"""An example: texts and a label."""

import logging


class InputExample:
    def __init__(self, guid="", texts=None, label=0):
        self.guid, self.texts, self.label = guid, texts, label


class LoggingHandler(logging.Handler):
    def emit(self, record):
        pass
