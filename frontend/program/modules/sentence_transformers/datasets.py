"""Data sets and loaders of examples."""

from torch.utils.data import DataLoader, Dataset


class SentencesDataset(Dataset):
    def __init__(self, examples, model=None):
        self.examples = examples

    def __getitem__(self, index):
        return self.examples[index]

    def __len__(self):
        return len(self.examples)


class SentenceLabelDataset(SentencesDataset):
    def __init__(self, examples, samples_per_label=2, with_replacement=False):
        SentencesDataset.__init__(self, examples)


class _One:
    def __init__(self, count):
        self.texts = [""] * count


class DenoisingAutoEncoderDataset(Dataset):
    """A damaged text and what it was."""

    def __init__(self, sentences, noise_fn=None):
        self.sentences = sentences

    def __getitem__(self, index):
        return _One(2)

    def __len__(self):
        return len(self.sentences)


class ParallelSentencesDataset(Dataset):
    """A text, with the embedding that a teacher gives of its translation."""

    def __init__(self, student_model=None, teacher_model=None, **options):
        self._count = None

    def load_data(self, *args, **options):
        pass

    add_dataset = load_data

    def __getitem__(self, index):
        return _One(1)

    def __len__(self):
        import _tilewise
        return _tilewise.unknown("how many sentences a file holds")


class NoDuplicatesDataLoader(DataLoader):
    def __init__(self, train_examples, batch_size):
        DataLoader.__init__(self, train_examples, batch_size, drop_last=True)
