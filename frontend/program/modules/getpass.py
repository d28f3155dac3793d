def getuser():
    return "user"


def getpass(prompt="", stream=None):
    return ""
