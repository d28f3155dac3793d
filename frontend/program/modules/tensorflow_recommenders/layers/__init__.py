"""tfrs.layers."""

from tensorflow_recommenders.layers import dcn, factorized_top_k, feature_interaction
from tensorflow_recommenders.layers import loss
