from urllib.request import *
