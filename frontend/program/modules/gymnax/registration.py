"""gymnax.registration."""


def make(env_id, **options):
    import gymnax
    return gymnax.make(env_id)
