"""The package that importlib.metadata was before Python 3.8."""

from importlib.metadata import (PackageNotFoundError, distribution, distributions, entry_points,
                                metadata, packages_distributions, requires, version)
