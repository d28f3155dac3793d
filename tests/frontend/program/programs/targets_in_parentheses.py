class Both:
    def __init__(self, value):
        self.first = (
            self.second
        ) = value


both = Both(3)
(one) = (two) = 5
(three,) = [7]
for (item) in [1, 2]:
    print(item)
print(both.first, both.second, one, two, three)
