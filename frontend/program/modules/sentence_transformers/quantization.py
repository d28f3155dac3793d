"""Embeddings of few bits, which only a model at work gives."""

from sentence_transformers._model import embeddings

quantize_embeddings = semantic_search_faiss = semantic_search_usearch = embeddings
