"""How text is made: kept, not followed."""


class GenerationConfig:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        return cls()

    def save_pretrained(self, *args, **kwargs):
        pass


class GenerationMixin:
    """Beside a model: it makes text, which is not followed."""

    def generate(self, *args, **kwargs):
        import _tilewise
        return _tilewise.unknown("text that a model makes")

    def prepare_inputs_for_generation(self, input_ids, **kwargs):
        return dict(kwargs, input_ids=input_ids)

    def can_generate(self):
        return True


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
