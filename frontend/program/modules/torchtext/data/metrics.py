"""torchtext.data.metrics."""

import _tilewise


def bleu_score(candidate_corpus, references_corpus, max_n=4, weights=()):
    return _tilewise.unknown("a score that a run gives")
