class RequirementCache:
    def __init__(self, requirement=None, module=None):
        pass

    def __bool__(self):
        return False


def module_available(path):
    return False


package_available = module_available


def compare_version(package, op, version, use_base_version=False):
    return True
