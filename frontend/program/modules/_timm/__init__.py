"""tilewise's account of timm, for machines that do not have it."""
