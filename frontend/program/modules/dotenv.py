def load_dotenv(*args, **kwargs):
    return False


def find_dotenv(*args, **kwargs):
    return ""


def dotenv_values(*args, **kwargs):
    return {}
