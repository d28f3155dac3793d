import numpy as np

print(np.take((5, 6, 7, 8), (3, 2, 0, 1)).tolist(), int(np.take([4, 5], 1)))
print(np.take(np.zeros((4, 5)), [1, 2], axis=1).shape)

rows = np.zeros((3, 4))
rows[range(3), (0, 1, 2)] = 1
print(rows.shape, np.arange(6)[np.s_[1:3]].tolist(), np.index_exp[2:] == np.s_[2:])
