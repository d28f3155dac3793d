"""How embeddings are compared; what needs a model at work is not known."""

import _tilewise
import torch
from torch.nn.functional import normalize


def dot_score(a, b):
    return torch.matmul(a, b.transpose(0, 1))


def cos_sim(a, b):
    return dot_score(normalize(a, p=2, dim=1), normalize(b, p=2, dim=1))


pytorch_cos_sim = cos_sim


def pairwise_dot_score(a, b):
    return (a * b).sum(dim=-1)


def pairwise_cos_sim(a, b):
    return pairwise_dot_score(normalize(a, p=2, dim=-1), normalize(b, p=2, dim=-1))


def pairwise_euclidean_sim(a, b):
    return -torch.sqrt(((a - b) ** 2).sum(dim=-1))


def pairwise_angle_sim(x, y):
    a, b = torch.chunk(x, 2, dim=1)
    c, d = torch.chunk(y, 2, dim=1)
    size = (c ** 2 + d ** 2).sum(dim=1, keepdim=True)
    real, imaginary = (a * c + b * d) / size, (b * c - a * d) / size
    dz = (a ** 2 + b ** 2).sum(dim=1, keepdim=True) ** 0.5
    dw = (c ** 2 + d ** 2).sum(dim=1, keepdim=True) ** 0.5
    both = torch.concat([real / (dz / dw), imaginary / (dz / dw)], dim=1)
    return torch.abs(both.sum(dim=1))


def normalize_embeddings(embeddings):
    return normalize(embeddings, p=2, dim=1)


def batch_to_device(batch, target_device):
    return batch


def http_get(url, path):
    pass


def _found(*args, **options):
    return _tilewise.unknown("what a search of embeddings finds")


semantic_search = paraphrase_mining = paraphrase_mining_embeddings = community_detection = _found


def mine_hard_negatives(dataset, *args, **options):
    return _tilewise.unknown("negatives that a model finds")
