"""Digests, by the interpreter's own hash: good for names, not for secrets."""


class _Hash:
    def __init__(self, data=b"", size=32, name="sha256"):
        self._data = data
        self.digest_size = size
        self.name = name

    def update(self, data):
        self._data += data

    def hexdigest(self, *size):
        import _python
        n = _python.hash(bytes(self._data)) & 0x7FFFFFFFFFFFFFFF
        length = 2 * (size[0] if size else self.digest_size)
        return (f"{n:016x}" * (length // 16 + 1))[:length]

    def digest(self, *size):
        return bytes.fromhex(self.hexdigest(*size))

    def copy(self):
        return _Hash(self._data, self.digest_size, self.name)


def md5(data=b"", **kwargs):
    return _Hash(data, 16, "md5")


def sha1(data=b"", **kwargs):
    return _Hash(data, 20, "sha1")


def sha256(data=b"", **kwargs):
    return _Hash(data, 32, "sha256")


def sha512(data=b"", **kwargs):
    return _Hash(data, 64, "sha512")


def blake2b(data=b"", *, digest_size=64, **kwargs):
    return _Hash(data, digest_size, "blake2b")


sha224 = sha3_256 = blake2s = sha256
sha384 = sha512


def new(name, data=b"", **kwargs):
    return _Hash(data, 32, name)
