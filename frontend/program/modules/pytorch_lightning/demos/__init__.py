from lightning.pytorch.demos import LightningTransformer, Transformer, WikiText2
