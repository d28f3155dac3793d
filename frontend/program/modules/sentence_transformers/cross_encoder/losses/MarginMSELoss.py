"""MarginMSELoss under the name of the file that it has in the library."""

from sentence_transformers.cross_encoder.losses._scores import MarginMSELoss
