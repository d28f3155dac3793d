from lightning.pytorch.cli import LightningArgumentParser, LightningCLI, SaveConfigCallback
