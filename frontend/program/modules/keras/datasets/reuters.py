from ._arrays import texts, word_index


def load_data(path="reuters.npz", num_words=None, skip_top=0, maxlen=None, test_split=0.2,
              seed=113, start_char=1, oov_char=2, index_from=3):
    train = int(11228 * (1 - test_split))
    return texts(train, 11228 - train, 46)


def get_word_index(path="reuters_word_index.json"):
    return word_index("the Reuters newswires")


def get_label_names():
    return tuple([f"topic {i}" for i in range(46)])
