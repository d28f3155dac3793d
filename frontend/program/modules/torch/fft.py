"""torch.fft: the transforms have the shapes and types of their results."""

from ._tensor import _op, cat, complex_, wrap


def _parts(h, n, d, inverse, onesided):
    h = _op("onnx.DFT", [h], {"axis": d, "inverse": int(inverse), "onesided": int(onesided)})
    return h


def _transform(x, dim, inverse=False, onesided=False):
    d = dim + x.dim() if dim < 0 else dim
    if x.is_complex():
        wide = x.real.unsqueeze(-1)
        wide = cat([wide, x.imag.unsqueeze(-1)], -1)
    else:
        wide = x.unsqueeze(-1)
    y = wrap(_parts(wide._h, None, d, inverse, onesided))
    return complex_(y[..., 0], y[..., 1])


def fft(input, n=None, dim=-1, norm=None):
    return _transform(input, dim)


def ifft(input, n=None, dim=-1, norm=None):
    return _transform(input, dim, True)


def rfft(input, n=None, dim=-1, norm=None):
    return _transform(input, dim, False, True)


def irfft(input, n=None, dim=-1, norm=None):
    d = dim + input.dim() if dim < 0 else dim
    n = 2 * (input.shape[d] - 1) if n is None else n
    rest = input.narrow(d, 1, n - input.shape[d]).flip(d)
    return _transform(cat([input, rest], d), d, True).real


def fftn(input, s=None, dim=(-2, -1), norm=None):
    for d in dim:
        input = _transform(input, d)
    return input


def ifftn(input, s=None, dim=(-2, -1), norm=None):
    for d in dim:
        input = _transform(input, d, True)
    return input


fft2, ifft2 = fftn, ifftn


def rfft2(input, s=None, dim=(-2, -1), norm=None):
    return fftn(rfft(input, dim=dim[-1]), dim=dim[:-1])


def irfft2(input, s=None, dim=(-2, -1), norm=None):
    n = None if s is None else s[-1]
    return irfft(ifftn(input, dim=dim[:-1]), n, dim[-1])


rfftn, irfftn = rfft2, irfft2


def fftshift(input, dim=None):
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    for d in dims:
        input = input.roll(input.shape[d] // 2, d)
    return input


def ifftshift(input, dim=None):
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    for d in dims:
        input = input.roll(-(input.shape[d] // 2), d)
    return input


def fftfreq(n, d=1.0, **options):
    from ._tensor import tensor
    return tensor([(i if i < (n + 1) // 2 else i - n) / (n * d) for i in range(n)])


def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True,
         pad_mode="reflect", normalized=False, onesided=None, return_complex=None):
    """Windows that overlap are put together of parts that do not."""
    from .nn.functional import pad
    hop = hop_length or n_fft // 4
    x = input if input.dim() == 2 else input.unsqueeze(0)
    if center:
        x = pad(x.unsqueeze(1), (n_fft // 2, n_fft // 2), mode=pad_mode).squeeze(1)
    n, parts = (x.shape[-1] - n_fft) // hop + 1, -(-n_fft // hop)
    whole = (n + parts - 1) * hop
    x = pad(x, (0, whole - x.shape[-1])) if whole > x.shape[-1] else x[:, :whole]
    x = x.reshape(x.shape[0], n + parts - 1, hop)
    x = cat([x[:, i:i + n] for i in range(parts)], -1)[..., :n_fft]
    if window is not None and window.shape[0] == n_fft:
        x = x * window
    x = _transform(x, -1, False, onesided is not False).transpose(1, 2)
    x = x if input.dim() == 2 else x.squeeze(0)
    if return_complex:
        return x
    return cat([x.real.unsqueeze(-1), x.imag.unsqueeze(-1)], -1)


def istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True,
          normalized=False, onesided=None, length=None, return_complex=False):
    """The parts of windows that overlap are added."""
    from .nn.functional import pad
    hop = hop_length or n_fft // 4
    x = input if input.dim() == 3 else input.unsqueeze(0)
    x = irfft(x.transpose(1, 2), n_fft)
    n, parts = x.shape[1], -(-n_fft // hop)
    x = pad(x, (0, parts * hop - n_fft)).reshape(x.shape[0], n, parts, hop)
    total = None
    for i in range(parts):
        part = pad(x[:, :, i], (0, 0, i, parts - 1 - i))
        total = part if total is None else total + part
    x = total.reshape(x.shape[0], -1)
    n_fft = n_fft // 2 if center else 0
    x = x[:, n_fft:n_fft + (length or (n - 1) * hop)]
    return x if input.dim() == 3 else x.squeeze(0)
