from ._discrete import OneHotCategorical
