from torch.nn import Embedding as StableEmbedding, Linear


class Linear8bitLt(Linear):
    def __init__(self, input_features, output_features, bias=True, **options):
        Linear.__init__(self, input_features, output_features, bias)


Linear4bit = LinearNF4 = Linear8bitLt
