from .._layers import Embedding, EmbeddingBag
