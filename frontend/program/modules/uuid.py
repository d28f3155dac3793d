"""Identifiers, always the same ones."""

_integer = int


class UUID:
    def __init__(self, hex="00000000000040008000000000000000", **kwargs):
        self.hex = hex.replace("-", "")

    @property
    def int(self):
        return _integer(self.hex, 16)

    def __str__(self):
        h = self.hex
        return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"

    def __repr__(self):
        return f"UUID('{self}')"

    def __eq__(self, other):
        return isinstance(other, UUID) and self.hex == other.hex

    def __hash__(self):
        return hash(self.hex)



def uuid4():
    return UUID()


def uuid1(node=None, clock_seq=None):
    return UUID()


def uuid5(namespace, name):
    return UUID()


uuid3 = uuid5
NAMESPACE_DNS = NAMESPACE_URL = UUID()
