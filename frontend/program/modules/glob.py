"""Files by pattern: unknown, unless the pattern names one file."""


def glob(pathname, *, root_dir=None, recursive=False, **kwargs):
    if isinstance(pathname, str) and not any([c in pathname for c in "*?["]):
        import os.path
        return [pathname] if os.path.exists(pathname) else []
    import _tilewise
    return _tilewise.unknown(f"the files {pathname}")


iglob = glob


def escape(pathname):
    return pathname
