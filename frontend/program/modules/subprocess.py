"""Other programs are not started."""

PIPE, STDOUT, DEVNULL = -1, -2, -3


class SubprocessError(Exception):
    pass


class CalledProcessError(SubprocessError):
    pass


class TimeoutExpired(SubprocessError):
    pass


def _unknown(args):
    import _tilewise
    return _tilewise.unknown(f"the output of the command {args}")


class CompletedProcess:
    def __init__(self, args):
        self.args = args
        self.returncode = 0
        self.stdout = self.stderr = _unknown(args)

    def check_returncode(self):
        pass


class Popen(CompletedProcess):
    def __init__(self, args, *rest, **kwargs):
        super().__init__(args)
        self.pid = 1001

    def communicate(self, input=None, timeout=None):
        return self.stdout, self.stderr

    def wait(self, timeout=None):
        return 0

    poll = wait

    def kill(self):
        pass

    terminate = kill

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        pass


def run(args, *rest, **kwargs):
    return CompletedProcess(args)


def call(args, *rest, **kwargs):
    return 0


check_call = call


def check_output(args, *rest, **kwargs):
    return _unknown(args)


getoutput = check_output


def getstatusoutput(args, **kwargs):
    return 0, _unknown(args)
