"""sentencepiece: of a vocabulary that the program trains its size is known, and no more."""

import _tilewise

_trained = []
_named = {}  # sizes that names of files say
_ids = {"pad_id": -1, "unk_id": 0, "bos_id": 1, "eos_id": 2}  # as the trainer gives them


def vocabulary(file=None):
    """How many tokens the vocabulary that was trained last has, or that of a file."""
    if _trained:
        return _trained[-1]
    if not isinstance(file, str) or _tilewise.is_unknown(file):
        return _tilewise.unknown("how many tokens a vocabulary has")
    if file not in _named:
        size = _named[file] = _size_in(file)
        if size is not None:
            _tilewise.note("a vocabulary is taken to have " + str(size) + " tokens, as the name of "
                           "its file says: " + file)
    if _named[file] is None:
        return _tilewise.unknown("how many tokens the vocabulary of " + file + " has")
    return _named[file]


def _size_in(file):
    """32,100 of "cc_all.32000.100extra/spm.model", 8,000 of "spm_8k.model"; None: no name says."""
    words, size, extra = "".join([c if c.isalnum() else " " for c in file]).split(), None, 0
    for word in words:
        digits = "".join([c for c in word if c.isdigit()])
        rest = "".join([c for c in word if not c.isdigit()]).lower()
        if not digits or not word.startswith(digits) and not word.endswith(digits):
            continue
        if rest == "extra":
            extra = int(digits)
        elif rest in ("k", "bpek") and len(digits) <= 3:
            size = 1000 * int(digits)
        elif 1000 <= int(digits) <= 1000000 and rest in ("", "v", "vocab", "spm", "sp", "bpe"):
            size = int(digits)
    return None if size is None else size + extra


class SentencePieceTrainer:
    @staticmethod
    def train(arg=None, **options):
        if isinstance(arg, str) and not _tilewise.is_unknown(arg):
            pairs = [word.lstrip("-").partition("=") for word in arg.split()]
            options = {name: text for name, _, text in pairs}
        size = options.get("vocab_size", 8000)
        if not _tilewise.is_unknown(size):
            size = int(size)
        _trained.append(size)
        _ids.update({name: int(options.get(name, _ids[name])) for name in _ids
                     if not _tilewise.is_unknown(options.get(name, 0))})
        _tilewise.note("a vocabulary is trained here; it has " + str(size) + " tokens")

    Train = train


class SentencePieceProcessor:
    """Of the vocabulary that was trained, or of a file's, which is not known."""

    _file = None

    def __init__(self, model_file=None, *args, **options):
        if model_file:
            self.load(model_file)

    def vocab_size(self):
        return vocabulary(self._file)

    get_piece_size = GetPieceSize = piece_size = __len__ = vocab_size

    def load(self, model_file=None, **options):
        import _python
        if not _trained and isinstance(model_file, str) and \
                (_python.awaits("OSError") or _python.awaits("Exception")) and \
                _python.read_file(model_file) is None:
            raise OSError("Not found: " + model_file)
        self._file = model_file
        return True

    Load = LoadFromFile = load

    def encode(self, input, out_type=int, add_bos=False, add_eos=False, **options):
        if isinstance(input, (list, tuple)):
            return [self.encode(one, out_type) for one in input]
        token = 0 if out_type is int else _tilewise.unknown("a token of a text")
        return [token for _ in _tilewise.unknown("how many tokens a text becomes")]

    def encode_as_ids(self, input, **options):
        return self.encode(input)

    def encode_as_pieces(self, input, **options):
        return self.encode(input, str)

    Encode, EncodeAsIds, EncodeAsPieces = encode, encode_as_ids, encode_as_pieces
    SampleEncodeAsIds = sample_encode_as_ids = encode_as_ids

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        if name in _ids:
            return lambda: _ids[name]
        return _tilewise.unknown("sentencepiece." + name)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("sentencepiece." + name)
