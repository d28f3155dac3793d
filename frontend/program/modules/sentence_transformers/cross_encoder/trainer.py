"""CrossEncoderTrainer: a step on a batch of pairs."""

from sentence_transformers._model import tokens
from sentence_transformers.trainer import SentenceTransformerTrainer


class CrossEncoderTrainer(SentenceTransformerTrainer):
    def _usual_loss(self):
        from sentence_transformers.cross_encoder import losses
        if self.model.num_labels == 1:
            return losses.BinaryCrossEntropyLoss(self.model)
        return losses.CrossEntropyLoss(self.model)

    def _features(self, size):
        pairs = self.loss.pairs(size, self._texts())
        return [tokens(n, self.model.length()) for n in pairs]
