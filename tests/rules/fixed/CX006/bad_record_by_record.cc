// chip: v4
#include <memory>

#include "tensorflow/core/lib/io/record_reader.h"
#include "tensorflow/core/platform/env.h"

int Count(const std::string& path) {
  std::unique_ptr<tensorflow::RandomAccessFile> file;
  TF_CHECK_OK(tensorflow::Env::Default()->NewRandomAccessFile(path, &file));
  tensorflow::io::RecordReaderOptions record_options;
  record_options.buffer_size = 256 << 10;
  tensorflow::io::RecordReader reader(file.get(), record_options);  // want: CX006
  tensorflow::uint64 offset = 0;
  tensorflow::tstring record;
  int count = 0;
  while (reader.ReadRecord(&offset, &record).ok()) ++count;
  return count;
}
