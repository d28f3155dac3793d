"""Losses on the scores of pairs."""

from sentence_transformers.cross_encoder.losses._scores import (
    BinaryCrossEntropyLoss, CachedMultipleNegativesRankingLoss, CrossEntropyLoss,
    LambdaLoss, LambdaRankScheme, ListMLELoss, ListNetLoss, MarginMSELoss, MSELoss,
    MultipleNegativesRankingLoss, NDCGLoss1Scheme, NDCGLoss2PPScheme, NDCGLoss2Scheme,
    NoWeightingScheme, PListMLELambdaWeight, PListMLELoss, RankNetLoss)
