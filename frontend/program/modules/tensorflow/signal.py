"""tf.signal."""
from tensorflow import _names
from tensorflow._public import export

__getattr__ = export(globals(), _names.table(("_signal", """frame hann_window hamming_window
 vorbis_window kaiser_window rfft fft ifft irfft fft2d ifft2d rfft2d irfft2d stft inverse_stft
 inverse_stft_window_fn overlap_and_add linear_to_mel_weight_matrix dct idct
 mfccs_from_log_mel_spectrograms fftshift ifftshift""")))
