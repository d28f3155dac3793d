import _tilewise


class Pipeline:
    def __init__(self, *args, model=None, tokenizer=None, **kwargs):
        self.model, self.tokenizer = model, tokenizer

    def __call__(self, *args, **kwargs):
        return _tilewise.unknown("what a pipeline makes of its inputs")


TextGenerationPipeline = FillMaskPipeline = Pipeline


def pipeline(task=None, model=None, tokenizer=None, **kwargs):
    return Pipeline(model=model, tokenizer=tokenizer)
