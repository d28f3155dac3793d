import csv
import datetime
import fractions
import io
import numbers
import queue
import statistics
import struct
import threading
import uuid
import weakref
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from fractions import Fraction
from multiprocessing import cpu_count

s = io.StringIO()
w = csv.writer(s)
w.writerow(["a", 1, "x,y"])
w.writerows([[1, None, 'q"q']])
print(repr(s.getvalue()), list(csv.reader(io.StringIO("p,q\n1,\"2,3\"\n"))), list(csv.DictReader(["a,b", "1,2"])))
print(str(timedelta(seconds=3661)), timedelta(days=2, hours=3), timedelta(minutes=90).total_seconds(), timedelta(seconds=1) < timedelta(minutes=1), str(timedelta(seconds=int(12345.6))))
d = datetime.datetime(2024, 2, 28, 13, 5, 9)
print(d, d.strftime("%Y-%m-%d_%H-%M-%S %j %b"), d + timedelta(days=2), d.date(), d.isoformat(), (datetime.date(2024, 3, 1) - datetime.date(2024, 2, 1)).days, datetime.date(2024, 5, 6).weekday(), datetime.datetime.strptime("2024-01-02", "%Y-%m-%d"))
print(Fraction(3, 6), Fraction(1, 3) + Fraction(1, 6), Fraction("0.25"), Fraction(7, 2) // 1, float(Fraction(1, 4)), Fraction(1, 3) * 3 == 1, repr(Fraction(5)), fractions.Fraction(3.5), Fraction(3.14159265).limit_denominator(100))
print(isinstance(3, numbers.Number), isinstance(3.0, numbers.Integral), isinstance("a", numbers.Real), isinstance(True, numbers.Integral))
print(statistics.mean([1, 2, 3, 4]), statistics.median([3, 1, 2]), statistics.pvariance([1, 3]), round(statistics.stdev([1, 2, 4]), 6), statistics.mode([1, 2, 2]))
print(struct.calcsize("<4i"), struct.unpack("<hI", struct.pack("<hI", -2, 7)), struct.calcsize("ihq"))
q = queue.Queue()
t = threading.Thread(target=lambda n: q.put(n * 2), args=(4,))
t.start()
t.join()
with threading.Lock():
    print(q.get(), q.empty())
with ThreadPoolExecutor(max_workers=2) as pool:
    print(list(pool.map(lambda v: v + 1, [1, 2])), pool.submit(pow, 2, 5).result())
buffer = io.BytesIO()
buffer.write(b"abc")
buffer.seek(0)
print(buffer.read(2), buffer.getvalue(), cpu_count() > 0, len(str(uuid.uuid4())), [line for line in io.StringIO("x\ny\n")])


class Thing:
    pass


thing = Thing()
print(weakref.ref(thing)() is thing, io.StringIO("a b").read().split())
print("sum of parts", sum((Fraction(n, 3) for n in range(3)), Fraction(0)), f"{float(Fraction(1, 8)):.3f}", max(Fraction(1, 2), Fraction(2, 3)))
