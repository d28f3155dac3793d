class Cache:
    def __init__(self, *args, **kwargs):
        pass

    def get_seq_length(self, layer_idx=0):
        return 0


DynamicCache = StaticCache = EncoderDecoderCache = Cache
