// Programs on torchtext, spaCy, XML and sentence_transformers, whose data is not here.

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

Workload Read(const std::string& text) {
  ProgramOptions options;
  options.limits.steps = 4'000'000;
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

Workload ReadNet(const std::string& text) {
  ProgramOptions options;
  options.model = "net";
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

TEST(TorchText, FieldsGiveBatchesOfTheirColumns) {
  const Workload workload = Read(R"(
import torch
from torchtext.legacy import data, datasets
TEXT = data.Field(include_lengths=True, fix_length=20)
LABEL = data.LabelField(dtype=torch.float)
train, test = datasets.IMDB.splits(TEXT, LABEL)
TEXT.build_vocab(train, max_size=998, vectors="glove.6B.100d")
LABEL.build_vocab(train)
loader, _ = data.BucketIterator.splits((train, test), batch_size=48)
net = torch.nn.ModuleList([torch.nn.Embedding(len(TEXT.vocab), 100), torch.nn.Linear(100, 1)])
net[0].weight.data.copy_(TEXT.vocab.vectors)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for batch in loader:
    text, lengths = batch.text
    logits = net[1](net[0](text).mean(0)).squeeze(1)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, batch.label)
    loss.backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 1000 * 100 + 100 + 1);
  EXPECT_EQ(workload.declared_global_batch(), 48);
}

TEST(TorchText, PairsOfSentencesAreShort) {
  const Workload workload = Read(R"(
import spacy, torch
from torchtext.datasets import Multi30k
from torchtext.vocab import build_vocab_from_iterator
nlp = spacy.load("de_core_news_sm")
def words(text):
    return [token.text for token in nlp.tokenizer(text)]
rows = Multi30k(split="train")
vocab = build_vocab_from_iterator((words(a) for a, b in rows), specials=["<s>"], max_tokens=500)
def collate(batch):
    return torch.stack([torch.tensor(vocab(words(a))) for a, b in batch])
loader = torch.utils.data.DataLoader(rows, batch_size=24, collate_fn=collate)
net = torch.nn.Embedding(len(vocab), 8)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x in loader:
    net(x).mean().backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 500 * 8);
  EXPECT_EQ(workload.declared_global_batch(), 24);
  EXPECT_THAT(Notes(workload), HasSubstr("32 tokens are taken"));
}

constexpr char kEmbedding[] = R"(
from datasets import load_dataset
from sentence_transformers import (SentenceTransformer, SentenceTransformerTrainer,
                                   SentenceTransformerTrainingArguments, losses)
model = SentenceTransformer("distilroberta-base")
model.max_seq_length = 32
data = load_dataset("sentence-transformers/all-nli", "triplet", split="train")
args = SentenceTransformerTrainingArguments("out", per_device_train_batch_size=16)
)";

// distilroberta-base has 82,118,400 weights.
TEST(SentenceTransformers, ALossOnEmbeddingsTrainsTheEncoder) {
  const Workload workload = Read(std::string(kEmbedding) + R"(
loss = losses.MultipleNegativesRankingLoss(model)
SentenceTransformerTrainer(model=model, args=args, train_dataset=data, loss=loss).train()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 82'118'400);
  EXPECT_EQ(workload.declared_global_batch(), 16 * 8);
  EXPECT_THAT(Notes(workload), HasSubstr("cut to 32 tokens, which are taken"));
}

TEST(SentenceTransformers, TheLossHasWeightsOfItsOwn) {
  const Workload workload = Read(std::string(kEmbedding) + R"(
loss = losses.SoftmaxLoss(model, model.get_sentence_embedding_dimension(), num_labels=3)
SentenceTransformerTrainer(model=model, args=args, train_dataset=data.remove_columns("negative"),
                           loss=loss).train()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 82'118'400 + 3 * 768 * 3 + 3);
}

TEST(SentenceTransformers, AdaptersAreTrainedAlone) {
  const Workload workload = Read(std::string(kEmbedding) + R"(
from peft import LoraConfig
model.add_adapter(LoraConfig(r=8, target_modules=["query", "value"]))
loss = losses.MultipleNegativesRankingLoss(model)
SentenceTransformerTrainer(model=model, args=args, train_dataset=data, loss=loss).train()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 6 * 2 * 2 * 8 * 768);
}

TEST(SentenceTransformers, LoadersOfExamplesTrainACrossEncoder) {
  const Workload workload = Read(R"(
from sentence_transformers import CrossEncoder, InputExample
from sentence_transformers.cross_encoder.losses.BinaryCrossEntropyLoss import (
    BinaryCrossEntropyLoss)
from torch.utils.data import DataLoader
model = CrossEncoder("microsoft/MiniLM-L12-H384-uncased", num_labels=1, max_length=64)
loss = BinaryCrossEntropyLoss(model)
rows = [InputExample(texts=["a", "b"], label=1.0)] * 64
model.fit(DataLoader(rows, batch_size=32, shuffle=True), epochs=1)
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 33'360'000 + 385);
}

// A loss that takes lists of documents needs to know how many there are.
TEST(SentenceTransformers, WhatOnlyTheDataSayIsNamed) {
  const Workload workload = Read(R"(
from datasets import load_dataset
from sentence_transformers.cross_encoder import CrossEncoder, CrossEncoderTrainer, losses
model = CrossEncoder("distilroberta-base", num_labels=1)
CrossEncoderTrainer(model=model, train_dataset=load_dataset("a/b", split="train"),
                    loss=losses.LambdaLoss(model)).train()
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(Notes(workload), HasSubstr("how many documents a query"));
}

TEST(Xml, AnAnnotationIsDataOfAnUnknownNumberOfItems) {
  const Workload workload = Read(R"(
import torch
import xml.etree.ElementTree as ET
def boxes(path):
    found = []
    for item in ET.parse(path).getroot().iter("object"):
        if int(item.find("difficult").text) == 1:
            continue
        found.append([int(item.find("bndbox").find(k).text) for k in ("xmin", "ymax")])
    return found
everything = boxes("a.xml")
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
net(torch.zeros(8, 4)).mean().backward()
optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 10);
}

TEST(Peft, AnAdapterThatIsNotKnownIsCountedAsLoras) {
  const Workload workload = ReadNet(R"(
import torch
from peft import GloraConfig, get_peft_model
base = torch.nn.Sequential()
base.add_module("query", torch.nn.Linear(16, 16))
net = get_peft_model(base, GloraConfig(r=2, target_modules=["query"]))
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 2 * 16 * 2);
  EXPECT_THAT(Notes(workload), HasSubstr("GloraConfig is not known; LoRA's of rank 2 stands in"));
}

TEST(DataSets, ColumnsOfSeveralStandSideBySide) {
  const Workload workload = ReadNet(R"(
import datasets
import torch
first = datasets.Dataset.from_dict({"x": [[1.0, 2.0, 3.0]], "name": ["a"]})
second = datasets.Dataset.from_dict({"y": [[1.0, 2.0]]})
row = datasets.concatenate_datasets([first, second], axis=1)[0]
net = torch.nn.Linear(len(row["x"]), len(row["y"]), bias=False)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 6);
}

TEST(DataSets, TheHandlerOfARenamingIsNoColumn) {
  const Workload workload = ReadNet(R"(
import torch
import webdataset as wds
data = wds.WebDataset("{0..9}.tar").decode("pil").rename(
    image="jpg;png", handler=wds.warn_and_continue)
sample = next(iter(data))
net = torch.nn.Linear(len(sample), 2, bias=False)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 2);
}

}  // namespace
}  // namespace tilewise::program
