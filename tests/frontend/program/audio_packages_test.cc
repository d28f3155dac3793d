// Programs that read recordings: librosa, soundfile, scipy, torchaudio, torch.stft.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

// What a layer that is trained is as wide as.
int64_t WidthOf(const std::string& setup, const std::string& size) {
  const Workload workload = ReadText("import numpy as np\nimport torch\n" + setup +
                                     "net = torch.nn.Linear(" + size + R"(, 1)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(100):
    net(torch.randn(16, net.in_features)).mean().backward()
    optimizer.step()
)");
  EXPECT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  return workload.model_size.has_value() ? workload.model_size->trainable - 1 : 0;
}

TEST(AudioPackages, RecordingsHaveAnAssumedLength) {
  EXPECT_EQ(WidthOf("import librosa\ny, rate = librosa.load('a.wav', sr=8000)\n", "y.shape[0]"),
            40000);
  EXPECT_EQ(WidthOf("import torchaudio\ny, rate = torchaudio.load('a.wav')\n", "y.shape[1]"),
            5 * 22050);
  EXPECT_EQ(WidthOf("from scipy.io.wavfile import read\nrate, y = read('a.wav')\n"
                    "y = torch.FloatTensor(y / 32768.0)[:8192]\n",
                    "y.shape[0]"),
            8192);
}

TEST(AudioPackages, FiltersAndFeaturesHaveTheirShapes) {
  EXPECT_EQ(WidthOf("from librosa.filters import mel\nx = mel(sr=22050, n_fft=1024, n_mels=80)\n",
                    "x.size"),
            80 * 513);
  EXPECT_EQ(WidthOf("import torchaudio\n"
                    "x = torchaudio.transforms.MelSpectrogram(n_mels=64)(torch.zeros(1, 16000))\n",
                    "x.numel()"),
            64 * 81);
  EXPECT_EQ(WidthOf("x = np.vstack([np.real(np.fft.fft(np.eye(8))[:5]), np.zeros((5, 8))])\n",
                    "x.shape[0]"),
            10);
}

TEST(AudioPackages, ShortTransformsOverlapAndComeBack) {
  const std::string setup = R"(
x = torch.zeros(2, 8192)
s = torch.stft(x, 1024, hop_length=256, window=torch.hann_window(1024), return_complex=True)
r = torch.stft(x, 400, hop_length=160, center=False, return_complex=False)
y = torch.istft(s, 1024, hop_length=256)
)";
  EXPECT_EQ(WidthOf(setup, "s.shape[1] * s.shape[2]"), 513 * 33);
  EXPECT_EQ(WidthOf(setup, "r.shape[1] * r.shape[2] * r.shape[3]"), 201 * 49 * 2);
  EXPECT_EQ(WidthOf(setup, "y.shape[1]"), 8192);
}

}  // namespace
}  // namespace tilewise::program
