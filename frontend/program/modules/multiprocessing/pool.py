from multiprocessing import Pool

ThreadPool = Pool
