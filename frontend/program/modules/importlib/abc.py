"""Base classes of finders and loaders."""


class Finder:
    pass


class MetaPathFinder(Finder):
    def find_spec(self, fullname, path=None, target=None):
        return None

    def invalidate_caches(self):
        pass


class PathEntryFinder(MetaPathFinder):
    pass


class Loader:
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        pass


class ResourceLoader(Loader):
    pass


class InspectLoader(Loader):
    pass


class ExecutionLoader(InspectLoader):
    pass


class FileLoader(ResourceLoader, ExecutionLoader):
    pass


class SourceLoader(FileLoader):
    pass


class Traversable:
    pass
