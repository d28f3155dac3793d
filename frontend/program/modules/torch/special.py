from ._tensor import Tensor

expit, erf, log1p, expm1, exp2 = (
    Tensor.sigmoid, Tensor.erf, Tensor.log1p, Tensor.expm1, Tensor.exp2)
logit, softmax, log_softmax, logsumexp = (
    Tensor.logit, Tensor.softmax, Tensor.log_softmax, Tensor.logsumexp)
