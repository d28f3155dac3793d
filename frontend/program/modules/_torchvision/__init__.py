"""tilewise's account of the parts of torchvision that it reads from the installed source where
the machine has it: models, ops, utils."""
