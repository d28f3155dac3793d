__version__ = "2.5.0"
cuda = "12.4"  # programs part it into numbers
hip = git_version = None
debug = False
