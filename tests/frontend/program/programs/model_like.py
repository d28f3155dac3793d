class Parameter:
    def __init__(self, *shape):
        self.shape = shape

    def numel(self):
        n = 1
        for s in self.shape:
            n *= s
        return n

    def __repr__(self):
        return f"Parameter{self.shape}"


class Module:
    def __init__(self):
        object.__setattr__(self, "_parameters", {})
        object.__setattr__(self, "_modules", {})
        self.training = True

    def __setattr__(self, name, value):
        if isinstance(value, Parameter):
            self._parameters[name] = value
        elif isinstance(value, Module):
            self._modules[name] = value
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        for store in ("_parameters", "_modules"):
            if store in self.__dict__ and name in self.__dict__[store]:
                return self.__dict__[store][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def named_parameters(self, prefix=""):
        for name, p in self._parameters.items():
            yield prefix + ("." if prefix else "") + name, p
        for name, m in self._modules.items():
            yield from m.named_parameters(prefix + ("." if prefix else "") + name)

    def parameters(self):
        for _, p in self.named_parameters():
            yield p

    def children(self):
        return iter(self._modules.values())

    def apply(self, fn):
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self):
        return self.train(False)


class Linear(Module):
    def __init__(self, i, o, bias=True):
        super().__init__()
        self.i, self.o = i, o
        self.weight = Parameter(o, i)
        if bias:
            self.bias = Parameter(o)
        else:
            self.bias = None

    def forward(self, shape):
        assert shape[-1] == self.i, f"{shape} into {self.i}"
        return (*shape[:-1], self.o)


class Sequential(Module):
    def __init__(self, *layers):
        super().__init__()
        for i, layer in enumerate(layers):
            setattr(self, str(i), layer)

    def __getitem__(self, i):
        return list(self._modules.values())[i]

    def __len__(self):
        return len(self._modules)

    def forward(self, x):
        for layer in self.children():
            x = layer(x)
        return x


class Residual(Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, **kwargs):
        y = self.fn(x, **kwargs)
        return y if y == x else ("mismatch", x, y)


def mlp(sizes, **kw):
    return Sequential(*[Linear(a, b, **kw) for a, b in zip(sizes, sizes[1:])])


net = Sequential(mlp([8, 16, 8]), Residual(Linear(8, 8, bias=False)), Linear(8, 2))
print(net((4, 3, 8)))
for name, p in net.named_parameters():
    print(name, p, p.numel())
print(sum(p.numel() for p in net.parameters()), len(net), net[-1].o, net[0][1].bias, net[1].fn.bias)
kinds = []
net.apply(lambda m: kinds.append(type(m).__name__))
print(kinds, net.eval().training, net[0][0].training)
try:
    net((1, 7))
except AssertionError as e:
    print(e)
try:
    net.nothing
except AttributeError as e:
    print(e)
