// Models of transformers that Keras trains on data sets of Hugging Face.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

TEST(TransformersKeras, TextsArePaddedBeforeTheModelIsMade) {
  const Workload workload = ReadText(R"(
from datasets import load_dataset
from transformers import AutoTokenizer, DataCollatorWithPadding
from transformers import TFAutoModelForSequenceClassification
tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')
def tokenize(rows):
    return tokenizer(rows['sentence1'], rows['sentence2'], truncation=True)
rows = load_dataset('glue', 'mrpc').map(tokenize, batched=True)
data = rows['train'].to_tf_dataset(
    columns=['attention_mask', 'input_ids', 'token_type_ids'], label_cols=['labels'],
    collate_fn=DataCollatorWithPadding(tokenizer=tokenizer, return_tensors='tf'), batch_size=16)
model = TFAutoModelForSequenceClassification.from_pretrained('bert-base-uncased', num_labels=2)
model.compile(optimizer='adam')
model.fit(data, epochs=3)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 109483778);
  EXPECT_EQ(workload.declared_global_batch(), 16);
  EXPECT_THAT(NotesOfText(workload), HasSubstr("they are cut to 512 tokens"));
}

TEST(TransformersKeras, PrepareTfDatasetFeedsWhatTheModelTakes) {
  const Workload workload = ReadText(R"(
from datasets import load_dataset
from transformers import AutoTokenizer, DataCollatorForSeq2Seq, create_optimizer
from transformers import TFAutoModelForSeq2SeqLM
from transformers.keras_callbacks import PushToHubCallback
tokenizer = AutoTokenizer.from_pretrained('t5-small')
model = TFAutoModelForSeq2SeqLM.from_pretrained('t5-small')
def tokenize(rows):
    return tokenizer(rows['text'], text_target=rows['summary'], max_length=128, truncation=True)
texts = load_dataset('somebody/summaries')
parts = {name: texts[name].map(tokenize, batched=True) for name in texts.keys()}
collate = DataCollatorForSeq2Seq(tokenizer, model=model, return_tensors='tf')
data = model.prepare_tf_dataset(parts['train'], collate_fn=collate, shuffle=True, batch_size=32)
optimizer, schedule = create_optimizer(init_lr=5e-5, num_warmup_steps=0,
                                       num_train_steps=len(data) * 3, weight_decay_rate=0.01)
model.compile(optimizer=optimizer)
model.fit(data, epochs=3, callbacks=[PushToHubCallback(output_dir='x', tokenizer=tokenizer)])
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 60506624);
  EXPECT_EQ(workload.declared_global_batch(), 32);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdamW);
}

}  // namespace
}  // namespace tilewise::program
