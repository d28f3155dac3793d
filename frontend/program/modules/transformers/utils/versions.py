def require_version(requirement, hint=None):
    pass


require_version_core = require_version
