from logging import FileHandler, Handler

RotatingFileHandler = TimedRotatingFileHandler = WatchedFileHandler = FileHandler
QueueHandler = SocketHandler = SysLogHandler = MemoryHandler = Handler
