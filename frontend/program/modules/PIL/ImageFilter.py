class Filter:
    def __init__(self, *args, **kwargs):
        pass


GaussianBlur = BoxBlur = MedianFilter = UnsharpMask = Kernel = Filter
BLUR, SHARPEN, SMOOTH, EDGE_ENHANCE, CONTOUR, DETAIL, FIND_EDGES = [Filter() for _ in range(7)]
