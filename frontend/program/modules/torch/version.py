__version__ = "2.5.0"
cuda = hip = git_version = None
debug = False
