"""Parts of addresses."""

from collections import namedtuple

ParseResult = namedtuple("ParseResult", "scheme netloc path params query fragment")


def urlparse(url, scheme="", allow_fragments=True):
    rest, _, fragment = url.partition("#")
    rest, _, query = rest.partition("?")
    if "://" in rest:
        scheme, _, rest = rest.partition("://")
        netloc, slash, path = rest.partition("/")
        return ParseResult(scheme, netloc, slash + path, "", query, fragment)
    head, colon, tail = rest.partition(":")
    if colon and head.isalpha():
        return ParseResult(head, "", tail, "", query, fragment)
    return ParseResult(scheme, "", rest, "", query, fragment)


urlsplit = urlparse


def urljoin(base, url):
    if "://" in url or not base:
        return url
    one = urlparse(base)
    path = url if url.startswith("/") else one.path.rpartition("/")[0] + "/" + url
    return f"{one.scheme}://{one.netloc}{path}"


def quote(text, safe="/", *args):
    plain = "_.-~" + safe
    out = ""
    for byte in text.encode():
        c = chr(byte)
        out += c if byte < 128 and (c.isalnum() or c in plain) else f"%{byte:02X}"
    return out


def unquote(text, *args):
    first, *parts = text.split("%")
    out = first.encode()
    for part in parts:
        out += bytes([int(part[:2], 16)]) + part[2:].encode()
    return out.decode()


quote_plus = quote
unquote_plus = unquote


def urlencode(query, *args):
    pairs = query.items() if isinstance(query, dict) else query
    return "&".join([f"{quote(str(k))}={quote(str(v))}" for k, v in pairs])


def parse_qs(query):
    out = {}
    for part in query.split("&"):
        name, _, value = part.partition("=")
        out.setdefault(unquote(name), []).append(unquote(value))
    return out
