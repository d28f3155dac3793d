"""Files that are near or far."""

import os


class PathManager:
    def register_handler(self, *args, **kwargs):
        pass

    def open(self, path, mode="r", **kwargs):
        return open(path, mode)

    def exists(self, path):
        return os.path.exists(path)

    def isfile(self, path):
        return os.path.isfile(path)

    def isdir(self, path):
        return os.path.isdir(path)

    def ls(self, path):
        return os.listdir(path)

    def mkdirs(self, path):
        pass

    rm = mkdirs

    def get_local_path(self, path, **kwargs):
        return path


class PathManagerFactory:
    @staticmethod
    def get(key=None, **kwargs):
        return PathManager()


g_pathmgr = PathManager()


class PathHandler:
    pass


class HTTPURLHandler(PathHandler):
    pass


OneDrivePathHandler = HTTPURLHandler
