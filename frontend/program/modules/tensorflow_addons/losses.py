"""tfa.losses."""

import _tilewise as _t
from keras import _loss_functions as _f
from keras import losses as _l


def sigmoid_focal_crossentropy(y_true, y_pred, alpha=0.25, gamma=2.0, from_logits=False):
    return _f.FUNCTIONS["binary_focal_crossentropy"](
        y_true, y_pred, True, alpha, gamma, from_logits)


def contrastive_loss(y_true, y_pred, margin=1.0):
    t, p = _f.both(y_true, y_pred)
    far = _f.unary("square", _f.binary("maximum", _f.sub(_f.h_of(margin, _f.code(p)), p), 0.0))
    near = _f.unary("square", p)
    one = _f.h_of(1.0, _f.code(p))
    return _f.record("contrastive", _f.add(_f.mul(t, near), _f.mul(_f.sub(one, t), far)))


def _pairwise(name):
    """Losses of all pairs of embeddings: their products are what costs."""
    def function(y_true, y_pred, *args, **kwargs):
        p = _f.prediction(y_pred)
        pairs = _t.op("tw.matmul", [p, _t.op("tw.transpose", [p], {"permutation": [1, 0]})])
        h = _f.reduce("mean", _f.binary("maximum", pairs, 0.0), -1)
        return _f.record(name, h)
    function.__name__ = name
    return function


triplet_semihard_loss, triplet_hard_loss = _pairwise("triplet_semihard"), _pairwise("triplet_hard")
npairs_loss, lifted_struct_loss = _pairwise("npairs"), _pairwise("lifted_struct")


def pinball_loss(y_true, y_pred, tau=0.5):
    t, p = _f.both(y_true, y_pred)
    d = _f.sub(t, p)
    return _f.record("pinball", _f.last("mean", _f.binary(
        "maximum", _f.mul(d, tau), _f.mul(d, tau - 1.0))))


SigmoidFocalCrossEntropy = _l._class("SigmoidFocalCrossEntropy", sigmoid_focal_crossentropy,
                                     from_logits=False, alpha=0.25, gamma=2.0)
ContrastiveLoss = _l._class("ContrastiveLoss", contrastive_loss, margin=1.0)
TripletSemiHardLoss = _l._class("TripletSemiHardLoss", triplet_semihard_loss, margin=1.0)
TripletHardLoss = _l._class("TripletHardLoss", triplet_hard_loss, margin=1.0)
NpairsLoss = _l._class("NpairsLoss", npairs_loss)
PinballLoss = _l._class("PinballLoss", pinball_loss, tau=0.5)
