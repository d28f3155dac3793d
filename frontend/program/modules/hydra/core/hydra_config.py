class HydraConfig:
    @classmethod
    def get(cls):
        import _tilewise
        return _tilewise.unknown("hydra's own configuration")

    instance = get

    @classmethod
    def initialized(cls):
        return False
