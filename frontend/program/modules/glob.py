"""Files by pattern: of names that are not known, unless the pattern names one file."""


def glob(pathname, *, root_dir=None, recursive=False, **kwargs):
    if isinstance(pathname, str) and not any([c in pathname for c in "*?["]):
        import os.path
        return [pathname] if os.path.exists(pathname) else []
    from _tilewise_files import matching
    return matching(pathname)


iglob = glob


def escape(pathname):
    return pathname
