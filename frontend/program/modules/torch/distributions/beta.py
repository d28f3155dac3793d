from ._continuous import Beta
