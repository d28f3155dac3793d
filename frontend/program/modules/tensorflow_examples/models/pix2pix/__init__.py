"""pix2pix."""
