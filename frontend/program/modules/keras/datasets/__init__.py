from . import (boston_housing, california_housing, cifar10, cifar100, fashion_mnist, imdb, mnist,
               reuters)
