class BitsAndBytesConfig:
    def __init__(self, load_in_8bit=False, load_in_4bit=False, **kwargs):
        self.load_in_8bit, self.load_in_4bit = load_in_8bit, load_in_4bit
        self.__dict__.update(kwargs)


class GPTQConfig(BitsAndBytesConfig):
    pass
