"""No network."""

AF_INET, AF_INET6, SOCK_STREAM, SOCK_DGRAM, SOL_SOCKET, SO_REUSEADDR = 2, 10, 1, 2, 1, 2


class error(OSError):
    pass


timeout = gaierror = error


class socket:
    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        pass

    def bind(self, *args, **kwargs):
        pass

    connect = listen = close = setsockopt = settimeout = send = sendall = bind

    def connect_ex(self, address):
        return 1

    def getsockname(self):
        return ("127.0.0.1", 29500)

    def recv(self, size):
        return b""


def gethostname():
    return "host"


getfqdn = gethostname


def gethostbyname(name):
    return "127.0.0.1"
