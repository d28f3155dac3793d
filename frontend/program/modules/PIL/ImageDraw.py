class Draw:
    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return lambda *args, **kwargs: None


ImageDraw = Draw
