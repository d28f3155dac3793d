import math
import numpy as np

print(float(np.fix(-2.5)), np.mgrid[0:4, 0:5].shape, [a.shape for a in np.ogrid[0:4, 0:5]])
print(np.r_[np.zeros(3), 4, 0:5].shape, np.c_[np.zeros((3, 2)), np.ones(3)].shape)
print(np.take_along_axis(np.zeros((4, 5)), np.zeros((4, 1), int), 1).shape)
print(np.tensordot(np.zeros((3, 4, 5)), np.zeros((4, 5, 6))).shape)
print(np.tril_indices(4)[0].tolist(), np.triu_indices(4, 1)[1].tolist())
print(np.convolve(np.zeros(10), np.ones(3), "same").shape, np.hamming(4).shape)
print(np.lib.stride_tricks.sliding_window_view(np.zeros((8, 3)), 4, 0).shape)
print(int(np.gcd(12, 18)), int(np.ravel_multi_index((1, 2), (3, 4))))
print(np.broadcast_shapes((3, 1), (4,)), np.ix_([0, 1], [2, 3, 4])[1].shape)
print(np.block([[np.zeros((2, 2)), np.zeros((2, 3))], [np.zeros((1, 2)), np.zeros((1, 3))]]).shape)
print(np.diagonal(np.zeros((4, 6, 2))).shape, np.atleast_3d(np.zeros((3, 4))).shape)
filled = np.zeros((2, 3))
np.copyto(filled, 1.0)
with np.errstate(divide="ignore"):
    print(filled.tolist(), np.select([np.array([True, False])], [np.array([1, 2])], 7).tolist())
print(np.packbits(np.zeros((4, 20), "uint8"), axis=1).shape)
print(np.compress(np.array([True, False, True]), np.zeros((3, 4)), 0).shape)
print(np.random.poisson(3.0, 5).shape, np.random.dirichlet([1, 1, 1], 4).shape)
print(np.linalg.qr(np.zeros((5, 3)))[0].shape, np.linalg.solve(np.eye(3), np.zeros(3)).shape)
print(math.fsum([0.5, 0.25]), math.acosh(1.0))
