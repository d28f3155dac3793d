"""How text is made: kept, not followed."""


class GenerationConfig:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        return cls()

    def save_pretrained(self, *args, **kwargs):
        pass


class TextStreamer:
    def __init__(self, *args, **kwargs):
        pass


class TextIteratorStreamer(TextStreamer):
    pass


class StoppingCriteria(TextStreamer):
    pass


class StoppingCriteriaList(list):
    pass


class LogitsProcessor(TextStreamer):
    pass


class LogitsProcessorList(list):
    pass
