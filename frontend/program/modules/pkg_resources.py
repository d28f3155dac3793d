from importlib.metadata import PackageNotFoundError as DistributionNotFound
from importlib.metadata import distribution as get_distribution
from packaging.version import Version as parse_version


def resource_filename(package, name):
    return f"{package}/{name}"
