def strtobool(text):
    text = text.lower()
    if text in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if text in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {text!r}")
