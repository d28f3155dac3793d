"""tf.errors."""


class OpError(Exception):
    def __init__(self, node_def=None, op=None, message="", *args):
        Exception.__init__(self, message)
        self.node_def, self.op, self.message = node_def, op, message


class AbortedError(OpError):
    pass


class AlreadyExistsError(OpError):
    pass


class CancelledError(OpError):
    pass


class DataLossError(OpError):
    pass


class DeadlineExceededError(OpError):
    pass


class FailedPreconditionError(OpError):
    pass


class InternalError(OpError):
    pass


class InvalidArgumentError(OpError):
    pass


class NotFoundError(OpError):
    pass


class OutOfRangeError(OpError):
    pass


class PermissionDeniedError(OpError):
    pass


class ResourceExhaustedError(OpError):
    pass


class UnauthenticatedError(OpError):
    pass


class UnavailableError(OpError):
    pass


class UnimplementedError(OpError):
    pass


class UnknownError(OpError):
    pass
