import numpy as np

print(np.take((5, 6, 7, 8), (3, 2, 0, 1)).tolist(), int(np.take([4, 5], 1)))
print(np.take(np.zeros((4, 5)), [1, 2], axis=1).shape)
