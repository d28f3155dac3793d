"""Evaluators: what they measure only a model at work gives."""

import _tilewise
from sentence_transformers.similarity_functions import SimilarityFunction


class SentenceEvaluator:
    greater_is_better = True
    primary_metric = "score"

    def __init__(self, *args, **options):
        self.name = options.get("name", "")

    @classmethod
    def from_input_examples(cls, examples, **options):
        return cls(**options)

    def __call__(self, model=None, *args, **options):
        return _tilewise.unknown("what an evaluator measures")


def _kind(name):
    return type(name, (SentenceEvaluator,), {})


BinaryClassificationEvaluator = _kind("BinaryClassificationEvaluator")
EmbeddingSimilarityEvaluator = _kind("EmbeddingSimilarityEvaluator")
InformationRetrievalEvaluator = _kind("InformationRetrievalEvaluator")
LabelAccuracyEvaluator = _kind("LabelAccuracyEvaluator")
MSEEvaluator = _kind("MSEEvaluator")
MSEEvaluatorFromDataFrame = _kind("MSEEvaluatorFromDataFrame")
NanoBEIREvaluator = _kind("NanoBEIREvaluator")
ParaphraseMiningEvaluator = _kind("ParaphraseMiningEvaluator")
RerankingEvaluator = _kind("RerankingEvaluator")
SequentialEvaluator = _kind("SequentialEvaluator")
TranslationEvaluator = _kind("TranslationEvaluator")
TripletEvaluator = _kind("TripletEvaluator")
SimilarityFunction = SimilarityFunction
