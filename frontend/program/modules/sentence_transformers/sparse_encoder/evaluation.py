"""Evaluators: what they measure only a model at work gives."""

from sentence_transformers.evaluation import _kind

ReciprocalRankFusionEvaluator = _kind("ReciprocalRankFusionEvaluator")
SparseBinaryClassificationEvaluator = _kind("SparseBinaryClassificationEvaluator")
SparseEmbeddingSimilarityEvaluator = _kind("SparseEmbeddingSimilarityEvaluator")
SparseInformationRetrievalEvaluator = _kind("SparseInformationRetrievalEvaluator")
SparseMSEEvaluator = _kind("SparseMSEEvaluator")
SparseNanoBEIREvaluator = _kind("SparseNanoBEIREvaluator")
SparseRerankingEvaluator = _kind("SparseRerankingEvaluator")
SparseTripletEvaluator = _kind("SparseTripletEvaluator")
