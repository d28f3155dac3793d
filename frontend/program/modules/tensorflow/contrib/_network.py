"""Networks of the first eager execution: models that are told of their layers."""

from keras.models import Model


class Network(Model):
    def track_layer(self, layer):
        if not hasattr(self, "tracked"):
            self.tracked = []
        self.tracked.append(layer)
        return layer
