def _nothing(*args, **kwargs):
    return None


get_summary_writer = write_to_summary = close_summary_writer = print_training_update = \
    print_test_update = _nothing


def now(format=""):
    return "now"
