"""Several configurations under names; the first is taken."""


def overridable_config_cli(configs, **options):
    return list(configs.values())[0][1]


def subcommand_cli_from_dict(subcommands, **options):
    from . import cli
    return cli(list(subcommands.values())[0])


def get_parser(f, **options):
    import argparse
    return argparse.ArgumentParser()
