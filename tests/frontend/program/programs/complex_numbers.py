z = 3 + 4j
print(z, abs(z), z.real, z.imag, z.conjugate())
print(2 * z, z * 2, z - 1, 1 - z, -z, z / 2, 10 / (1j))
print(z * z == -7 + 24j, z == 3, complex(2, 5), complex(1.5), complex(real=1, imag=2))
print(isinstance(z, complex), isinstance(3, complex), type(1j).__name__)
print(1j ** 2 == complex(-1, 0) or abs(1j ** 2 + 1) < 1e-9)


class Half(float):
    pass


print(int(Half(2.5)), float(Half(2.5)), Half(2.5) + 1)
