"""tf.gfile: files beside the program are read, others are absent."""

from tensorflow._tf1.files import (
    Copy, DeleteRecursively, Exists, GFile, Glob, IsDirectory, ListDirectory, MakeDirs, MkDir,
    Remove, Rename, Stat, Walk)

Open = FastGFile = GFile
copy, exists, glob, isdir, listdir = Copy, Exists, Glob, IsDirectory, ListDirectory
makedirs, mkdir, remove, rename, rmtree = MakeDirs, MkDir, Remove, Rename, DeleteRecursively
stat, walk = Stat, Walk


def join(*parts):
    return "/".join(parts)
