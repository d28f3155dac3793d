class _Enhance:
    def __init__(self, image):
        self.image = image

    def enhance(self, factor):
        return self.image


Color = Contrast = Brightness = Sharpness = _Enhance
