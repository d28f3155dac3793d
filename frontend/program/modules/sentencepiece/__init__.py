"""sentencepiece: of a vocabulary that the program trains its size is known, and no more."""

import _tilewise

_trained = []
_ids = {"pad_id": -1, "unk_id": 0, "bos_id": 1, "eos_id": 2}  # as the trainer gives them


def vocabulary():
    """How many tokens the vocabulary that was trained last has."""
    return _trained[-1] if _trained else _tilewise.unknown("how many tokens a vocabulary has")


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

    def __init__(self, model_file=None, *args, **options):
        if model_file:
            self.load(model_file)

    def vocab_size(self):
        return vocabulary()

    get_piece_size = GetPieceSize = piece_size = __len__ = vocab_size

    def load(self, model_file=None, **options):
        import _python
        if not _trained and isinstance(model_file, str) and \
                (_python.awaits("OSError") or _python.awaits("Exception")) and \
                _python.read_file(model_file) is None:
            raise OSError("Not found: " + model_file)
        return True

    Load = LoadFromFile = load

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        if _trained and name in _ids:
            return lambda: _ids[name]
        return _tilewise.unknown("sentencepiece." + name)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("sentencepiece." + name)
