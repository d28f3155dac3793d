from ._arrays import texts, word_index


def load_data(path="imdb.npz", num_words=None, skip_top=0, maxlen=None, seed=113, start_char=1,
              oov_char=2, index_from=3, **kwargs):
    return texts(25000, 25000, 2)


def get_word_index(path="imdb_word_index.json"):
    return word_index("the IMDB reviews")
