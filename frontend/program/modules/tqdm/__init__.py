"""Progress bars that show nothing."""


class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, leave=True, file=None, *args,
                 initial=0, **kwargs):
        self.iterable = iterable
        self.desc = desc
        self.n = initial
        self.disable = True
        self.total = total
        if total is None and hasattr(iterable, "__len__"):
            self.total = len(iterable)

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return self.total if self.iterable is None else len(self.iterable)

    def __getattr__(self, name):
        if name == "format_dict":
            return {}
        raise AttributeError(name)

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        pass

    def update(self, n=1):
        self.n += n

    def set_description(self, *args, **kwargs):
        pass

    set_postfix = set_postfix_str = set_description_str = reset = set_description
    close = clear = refresh = display = moveto = unpause = set_description

    @classmethod
    def write(cls, text, *args, **kwargs):
        pass

    @classmethod
    def pandas(cls, *args, **kwargs):
        pass


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)


tqdm_notebook = tqdm
tnrange = trange
