"""fiddle.absl_flags."""

from absl import flags

flags.DEFINE_string("fdl_config", None, "")
flags.DEFINE_string("fdl_config_file", None, "")
flags.DEFINE_bool("fdl_help", False, "")


def flags_parser(args):
    return flags.FLAGS(args)
