from random import choice, randrange as randbelow, getrandbits as randbits


def token_hex(nbytes=32):
    return "00" * nbytes


token_urlsafe = token_hex


def token_bytes(nbytes=32):
    return bytes(nbytes)
