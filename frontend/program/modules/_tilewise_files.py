"""Texts that many programs train on, where they are not on this machine: a text with as many
kinds of characters or words as the published one, and fewer of them."""

import _python
import _tilewise

# Words that a corpus has, "<eos>" left out, which programs add.
_WORDS = (("wikitext-103", 267734), ("wikitext103", 267734), ("wikitext-2", 33277),
          ("wikitext2", 33277), ("penn", 9999), ("ptb", 9999))
_CHARACTERS = "\n !$&',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# The published configurations of models whose checkpoints hold it, by a part of their names.
_CONFIGURATIONS = (
    ("albert_config", "ALBERT-base", '''{"attention_probs_dropout_prob": 0, "hidden_act": "gelu",
"hidden_dropout_prob": 0, "embedding_size": 128, "hidden_size": 768, "initializer_range": 0.02,
"intermediate_size": 3072, "max_position_embeddings": 512, "num_attention_heads": 12,
"num_hidden_layers": 12, "num_hidden_groups": 1, "inner_group_num": 1, "down_scale_factor": 1,
"type_vocab_size": 2, "vocab_size": 30000}'''),
    ("bert_config", "BERT-base", '''{"attention_probs_dropout_prob": 0.1, "hidden_act": "gelu",
"hidden_dropout_prob": 0.1, "hidden_size": 768, "initializer_range": 0.02,
"intermediate_size": 3072, "max_position_embeddings": 512, "num_attention_heads": 12,
"num_hidden_layers": 12, "type_vocab_size": 2, "vocab_size": 30522}'''),
    ("xlnet_config", "XLNet-Large", '''{"d_head": 64, "d_inner": 4096, "d_model": 1024,
"ff_activation": "gelu", "n_head": 16, "n_layer": 24, "n_token": 32000, "untie_r": true}'''))
# Width, layers and heads of the sizes of GPT-2, by the names of their folders.
_GPT2 = {"117M": (768, 12, 12), "124M": (768, 12, 12), "345M": (1024, 24, 16),
         "355M": (1024, 24, 16), "774M": (1280, 36, 20), "1558M": (1600, 48, 25)}
_made = {}


def _of_words(name, kinds):
    if name in _made or kinds > 60000:
        kinds = 2000  # the other parts of a corpus hold no words of their own
    _made[name] = True
    words = ["w" + str(i) for i in range(kinds)]
    return "\n".join([" ".join(words[i:i + 64]) for i in range(0, kinds, 64)]) + "\n"


def _vocabulary():
    """One word a line, as that of BERT: those with a meaning have their published places."""
    words = ["word" + str(i) for i in range(30522)]
    words[0] = "[PAD]"
    words[100:104] = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    return "\n".join(words) + "\n"


def read(path):
    """The text of a file; programs run in their folder, or in one above it."""
    text = _python.read_file(path)
    if text is None and path[:1] not in "/~" and ":" not in path:
        for above in ("../", "../../"):
            text = _python.read_file(above + path)
            if text is not None:
                return text
    return text


def known(path):
    low = path.lower()
    end = low.rsplit("/", 1)[-1]
    return end == "input.txt" or "shakespeare" in end or any([n in low for n, _ in _WORDS])


def stand_in(path):
    """The text for a file of that name; None where nothing is known of it."""
    low = path.lower()
    end = low.rsplit("/", 1)[-1]
    if end == "input.txt" or "shakespeare" in end and end.endswith(".txt"):
        _tilewise.note(path + " is not here; a text of the 65 characters of tiny shakespeare "
                       "stands for it")
        return _CHARACTERS * 1000
    for name, model, text in _CONFIGURATIONS:
        if name in low:
            _tilewise.note(path + " is not here; the configuration of " + model + " stands for it")
            return text
    if end == "vocab.txt":
        _tilewise.note(path + " is not here; the 30,522 words of BERT's vocabulary stand for it")
        return _vocabulary()
    if end == "hparams.json" and path.split("/")[-2:][0] in _GPT2:
        size = path.split("/")[-2]
        width, layers, heads = _GPT2[size]
        _tilewise.note(path + " is not here; the sizes of GPT-2 " + size + " stand for it")
        return (f'{{"n_vocab": 50257, "n_ctx": 1024, "n_embd": {width}, '
                f'"n_head": {heads}, "n_layer": {layers}}}')
    if "imagesets/" in low and end.endswith(".txt"):
        names = [str(i + 100000) for i in range(ASSUMED)]
        _made_names.update([n + kind for n in names for kind in (".jpg", ".png", ".xml")])
        _tilewise.note(path + " is not here; " + str(ASSUMED) + " pictures are assumed")
        return "\n".join(names) + "\n"
    if end.endswith((".txt", ".tokens", ".raw")):
        for name, kinds in _WORDS:
            if name in low:
                _tilewise.note(path + " is not here; a text with the words of " + name +
                               " stands for it")
                return _of_words(name, kinds)
    return None


# ---- binary files whose sizes are published


class Blob:
    """Bytes of which only the number is known."""
    blob = True

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Blob(len(range(self.size)[index]))
        return _tilewise.unknown("a byte of a file")


class Numbers:
    """Big-endian numbers of four bytes each."""

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return 4 * len(self.values)


class _Idx:
    """The files of MNIST and its like: a header of big-endian numbers, then bytes."""

    def __init__(self, name, header, size=None):
        self.name, self.mode, self.closed = name, "rb", False
        self._header, n = header, 1
        for k in header[1:]:
            n *= k
        self._size, self._at = 4 * len(header) + n if size is None else size, 0

    def read(self, size=-1):
        start, end = self._at, self._size
        if isinstance(size, int) and size >= 0:
            end = min(start + size, end)
        self._at = end
        if end <= 4 * len(self._header):
            return Numbers(self._header[start // 4:end // 4])
        rest = Blob(end - start)
        if start == 0:
            rest.header = self._header
        return rest

    def seek(self, at, whence=0):
        self._at = at
        return at

    def tell(self):
        return self._at

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


# Source: mattmahoney.net/dc/textdata.html, which counts their bytes.
_BYTES = (("enwik8", 10 ** 8), ("enwik9", 10 ** 9), ("text8", 10 ** 8))


def binary(path, mode):
    """A file of MNIST's kind, or a corpus of bytes; None where nothing is known of it."""
    low = path.lower().rsplit("/", 1)[-1].replace(".idx", "-idx")
    for name, size in _BYTES:
        if low in (name, name + ".gz", name + ".zip", name + ".bz2") and "b" in mode:
            _tilewise.note(path + " is not here; as many bytes as it has stand for it")
            return _Idx(path, [], size)
    if "idx" not in low or "ubyte" not in low:
        return None
    letters = "emnist-letters" in low
    n = (124800 if letters else 60000) if "train" in low else 20800 if letters else 10000
    return _Idx(path, (2051, n, 28, 28) if "images" in low else (2049, n))


def pickled(path):
    """What pickles of well-known names hold; None for others."""
    import numpy
    name = path.rsplit("/", 1)[-1]

    def part(n, classes, *labels):
        made = {"data": numpy.ndarray([n, 3072], "uint8"), "filenames": [""] * n}
        for label in labels:
            made[label] = [0] * n
        return _BytesKeys(made)
    if "cifar" in path.lower() and (name.startswith("data_batch") or name == "test_batch"):
        return part(10000, 10, "labels")
    if "cifar-100" in path.lower() and name in ("train", "test"):
        return part(50000 if name == "train" else 10000, 100, "fine_labels", "coarse_labels")
    if name in ("mnist.pkl", "mnist.pkl.gz"):
        return tuple([(numpy.ndarray([n, 784], "float32"), numpy.ndarray([n], "int64"))
                      for n in (50000, 10000, 10000)])
    return None


class _BytesKeys(dict):
    """Found by text and by bytes, as the encoding of pickles may be either."""

    def __missing__(self, key):
        if isinstance(key, bytes):
            return self[key.decode()]
        raise KeyError(key)


class _Archive(dict):
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def close(self):
        pass

    @property
    def files(self):
        return list(self.keys())


def archive(path):
    """What .npz files of well-known names hold; None for others."""
    made = _archive(path)
    return _Archive(made) if isinstance(made, dict) else made


def _archive(path):
    import numpy
    name = path.rsplit("/", 1)[-1].lower()
    if name in ("mnist_test_seq.npy", "moving_mnist.npy"):
        return numpy.ndarray([20, 10000, 64, 64], "uint8")
    if name == "tiny_nerf_data.npz":
        return {"images": numpy.ndarray([106, 100, 100, 3], "float32"),
                "poses": numpy.ndarray([106, 4, 4], "float32"), "focal": numpy.array(138.8789)}
    if name in ("mnist.npz", "fashion_mnist.npz"):
        made = {}
        for part, n in (("train", 60000), ("test", 10000)):
            made["x_" + part] = numpy.ndarray([n, 28, 28], "uint8")
            made["y_" + part] = numpy.ndarray([n], "uint8")
        return made
    return None


# ---- folders of data

_HINTS = ("data", "train", "val", "test", "images", "img", "imagenet", "voc", "coco", "corpus")
_WRITTEN = ("run/", "runs", "log", "ckpt", "checkpoint", "output", "result", "save", "weights",
            "cache", "exp/", "experiment")  # folders that programs write to
_said = set()


# What programs look for among their own files.
_OWN = (".py", ".yaml", ".yml", ".ckpt", ".h5", ".hdf5", ".pt", ".pth", ".index", ".meta", ".pb",
        ".log", ".keras", ".bin", ".safetensors", ".pkl")


def folder_of_data(path):
    """Whether a path that is not here is likely to be a folder that data lies in."""
    low = path.lower()
    last = low.rstrip("/").rsplit("/", 1)[-1]
    return "." not in last and any([h in low for h in _HINTS])


ASSUMED = 1000
_made_names = set()


def take_as_there(path):
    """The file that an example of a page names is one that the user of the program has."""
    name = path.rsplit("/", 1)[-1]
    if "." in name and _python.read_file(path) is None and not path.lower().endswith(_OWN):
        _made_names.add(name)


def is_made(path):
    """Whether a path names a file that was assumed."""
    return path.rsplit("/", 1)[-1] in _made_names


def holds_made(x):
    """Whether the first text in a structure names a file that was assumed: then how many there
    are is not known, whatever was made of the list."""
    for _ in range(8):
        if _tilewise.is_unknown(x):
            return len(_said) > 0 and "a file of " in _tilewise.reason(x)
        if isinstance(x, str):
            return is_made(x)
        if isinstance(x, dict):
            x = list(x.values())
        if isinstance(x, tuple) and len(x) > 1:
            return any([holds_made(part) for part in x])
        try:
            x = x[0]
        except Exception:
            return False
    return False


def named(pattern):
    """A pattern of files that are not listed, as the one name that stands for them."""
    _made_names.add(pattern.rsplit("/", 1)[-1])
    return _assumed([pattern], pattern)


def _suffix(low):
    """What files of such a folder, or of such a pattern, end with."""
    end = low.rsplit("/", 1)[-1]
    if any([c in end for c in "*?["]):
        dot = end.rfind(".")
        kind = end[dot:] if dot >= 0 else ""
        return kind if kind and not any([c in kind for c in "*?[{"]) else ".jpg"
    if "." in end:
        return ".jpg" if end.rsplit(".", 1)[0].isdigit() else None
    if any([h in low for h in ("mask", "label", "annot", "segment")]):
        return ".png"
    return ".jpg" if folder_of_data(low) else None


def _say(where):
    if where not in _said:
        _said.add(where)
        _tilewise.record("assumed_files")
        _tilewise.note("the files of " + where + " are not here; " + str(ASSUMED) +
                       " of them are assumed")


_SETTINGS = (".json", ".yaml", ".yml", ".py", ".gin", ".toml", ".cfg", ".ini")


def of_checkout(folder):
    """The names in a folder of the program's checkout that holds settings or code; else []."""
    import sys
    beside = sys.argv[0].rpartition("/")[0] + "/"
    below = folder[len(beside):] if folder.startswith(beside) else folder
    if folder_of_data(below) or is_made(folder):
        return []
    names = _python.list_folder(folder or ".")
    return names if any([n.endswith(_SETTINGS) for n in names]) else []


def _asked():
    """What the names end with that the program keeps of a listing, as its lines there say."""
    import re
    file, line = _python.asked_at()
    text = _python.read_file(file)
    if text is None or _tilewise.is_unknown(text):
        return None
    found = re.search("""endswith\\(\\(?["'](\\.\\w+)["']""",
                      "\n".join(text.split("\n")[line - 1:line + 3]))
    return found.group(1) if found else None


def listing(where):
    """Files of a folder that is not here, or that a pattern names: some are assumed."""
    if _tilewise.is_unknown(where):
        return _tilewise.unknown("the files of a folder that is not known")
    where = str(where)
    here = of_checkout(where)
    if here:
        return [n.rstrip("/") for n in here]
    low = where.lower().replace("/.cache/", "/")  # what was downloaded lies there as well
    if any([w in low for w in _WRITTEN]):
        return []
    suffix, inner = _suffix(low), any([p in _made_names for p in where.split("/")])
    if suffix == ".jpg" and not inner:
        suffix = _asked() or suffix
        if suffix in _OWN:
            return []
    end = where.rsplit("/", 1)[-1]
    if end.endswith(".*") and end[:1] not in "*?[":
        name = end[:-2] + (".png" if "mask" in end else ".jpg")
        _made_names.add(name)
        return [name]
    if suffix is None:
        _say(where)
        return _assumed([_tilewise.unknown("a file of " + where)] * ASSUMED, where)
    if not inner:
        _say(where)
    form = end if end.count("*") == 1 and end.endswith(suffix) else "*" + suffix
    names = [form.replace("*", str(i + 100000)) for i in range(4 if inner else ASSUMED)]
    _made_names.update(names)
    return _assumed(names, where)


def _assumed(names, where):
    return _tilewise.assume(names, "the files of " + where + " are not here")


def matching(pattern):
    """The paths that a pattern names."""
    folder, slash, last = str(pattern).rpartition("/")
    if not _tilewise.is_unknown(pattern) and last.endswith(_SETTINGS):
        here = of_checkout(folder)
        if here:
            from fnmatch import fnmatch
            return [folder + slash + n for n in here if fnmatch(n, last)]
    folder = str(pattern).rsplit("/", 1)[0]
    if not _tilewise.is_unknown(pattern) and not folder_of_data(folder) and \
            not is_made(folder):
        if str(pattern).lower().endswith(_OWN) or folder in (".", str(pattern)):
            return []
    found = listing(pattern)
    if _tilewise.is_unknown(found):
        return found
    folder = str(pattern).rsplit("/", 1)[0] + "/" if "/" in str(pattern) else ""
    for c in "*?[":
        if c in folder:
            folder = folder.replace(c, "")
    return [f if _tilewise.is_unknown(f) else folder + f for f in found]
