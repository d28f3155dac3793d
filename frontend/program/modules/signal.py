SIGHUP, SIGINT, SIGKILL, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGCONT = 1, 2, 9, 10, 12, 14, 15, 18
SIG_DFL, SIG_IGN = 0, 1


class Signals(int):
    pass


def signal(number, handler):
    return SIG_DFL


def getsignal(number):
    return SIG_DFL


def alarm(seconds):
    return 0


def pause():
    pass
