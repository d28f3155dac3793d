"""tf.random."""
from tensorflow import _names
from tensorflow._public import export
from tensorflow._random import Algorithm, Generator

_find = export(globals(), _names.table(("_random", """normal truncated_normal uniform shuffle
 categorical multinomial gamma poisson stateless_normal stateless_uniform
 stateless_truncated_normal stateless_categorical stateless_gamma stateless_poisson
 stateless_shuffle experimental_stateless_shuffle stateless_split split
 experimental_stateless_split stateless_fold_in fold_in experimental_stateless_fold_in
 fixed_unigram_candidate_sampler log_uniform_candidate_sampler uniform_candidate_sampler
 learned_unigram_candidate_sampler all_candidate_sampler set_seed set_random_seed
 set_global_generator create_rng_state get_global_generator""")), "compat.v1.random")


def __getattr__(name):
    if name == "experimental":
        return _Experimental()
    return _find(name)


class _Experimental:
    """Older places of the same names."""
    Generator, Algorithm = Generator, Algorithm

    def __getattr__(self, name):
        return _find({"stateless_fold_in": "stateless_fold_in"}.get(name, name))
