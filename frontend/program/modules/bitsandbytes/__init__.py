from bitsandbytes import nn, optim
