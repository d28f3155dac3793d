from transformers.tokenization_utils import (AddedToken, BatchEncoding, PreTrainedTokenizerBase,
                                             SpecialTokensMixin)


class PaddingStrategy:
    LONGEST, MAX_LENGTH, DO_NOT_PAD = "longest", "max_length", "do_not_pad"


class TruncationStrategy:
    LONGEST_FIRST = "longest_first"
