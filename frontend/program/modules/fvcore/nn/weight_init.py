"""What weights begin with changes no size."""


def c2_xavier_fill(module):
    pass


def c2_msra_fill(module):
    pass
