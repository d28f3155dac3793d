"""Evaluators: what they measure only a model at work gives."""

from sentence_transformers.evaluation import _kind

CEBinaryAccuracyEvaluator = _kind("CEBinaryAccuracyEvaluator")
CEBinaryClassificationEvaluator = _kind("CEBinaryClassificationEvaluator")
CECorrelationEvaluator = _kind("CECorrelationEvaluator")
CEF1Evaluator = _kind("CEF1Evaluator")
CERerankingEvaluator = _kind("CERerankingEvaluator")
CESoftmaxAccuracyEvaluator = _kind("CESoftmaxAccuracyEvaluator")
CrossEncoderClassificationEvaluator = _kind("CrossEncoderClassificationEvaluator")
CrossEncoderCorrelationEvaluator = _kind("CrossEncoderCorrelationEvaluator")
CrossEncoderNanoBEIREvaluator = _kind("CrossEncoderNanoBEIREvaluator")
CrossEncoderRerankingEvaluator = _kind("CrossEncoderRerankingEvaluator")
