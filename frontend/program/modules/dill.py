from pickle import dump, dumps, load, loads
