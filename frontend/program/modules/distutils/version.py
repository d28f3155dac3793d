from packaging.version import Version

LooseVersion = StrictVersion = Version
