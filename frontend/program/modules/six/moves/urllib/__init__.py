import urllib
from urllib import error, parse, request
