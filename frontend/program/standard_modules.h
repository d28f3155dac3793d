// The modules of Python's standard library, as words between bars.

#pragma once

#include <string_view>

namespace tilewise::program {

// Those of Python's standard library that tilewise has an account of.
inline constexpr std::string_view kStandardModules =
    "__future__|abc|argparse|array|ast|asyncio|atexit|base64|bisect|bz2|cProfile|codecs|"
    "collections|concurrent|contextlib|copy|csv|ctypes|dataclasses|datetime|decimal|dis|distutils|"
    "enum|fcntl|fnmatch|fractions|functools|gc|getpass|glob|gzip|hashlib|heapq|http|importlib|"
    "inspect|io|itertools|json|linecache|locale|logging|lzma|marshal|mmap|multiprocessing|numbers|"
    "operator|os|pathlib|pdb|pickle|platform|posixpath|profile|pstats|pwd|queue|random|re|resource|"
    "secrets|select|shutil|signal|socket|sqlite3|ssl|statistics|string|struct|subprocess|sys|"
    "tarfile|tempfile|textwrap|threading|time|tokenize|tomllib|traceback|tracemalloc|types|typing|"
    "urllib|uuid|warnings|weakref|xml|zipfile|zlib";

// Others that programs import and that need no folder.
inline constexpr std::string_view kOtherStandardModules =
    "builtins|cmath|contextvars|copyreg|difflib|email|errno|faulthandler|filecmp|fileinput|"
    "hmac|imp|ipaddress|keyword|mimetypes|netrc|ntpath|optparse|pkgutil|plistlib|pprint|"
    "readline|reprlib|runpy|sched|shelve|site|smtplib|socketserver|stat|symtable|sysconfig|"
    "syslog|timeit|token|trace|unicodedata|unittest|wave|webbrowser|xmlrpc|zipimport|"
    "zoneinfo";

}  // namespace tilewise::program
