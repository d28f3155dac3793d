"""Data sets of the Hugging Face hub whose columns and numbers of rows are public facts.

name/configurations|columns|rows of each split, written as the table of tensorflow_datasets is; a
name may be whole, with its organisation and a configuration
"""

ROWS = """
mnist|image:I[28,28,1] label:C10|train 60000,test 10000
fashion_mnist|image:I[28,28,1] label:C10|train 60000,test 10000
cifar10|img:I[32,32,3] label:C10|train 50000,test 10000
cifar100|img:I[32,32,3] fine_label:C100 coarse_label:C20|train 50000,test 10000
food101|image:I[?,?,3] label:C101|train 75750,validation 25250
beans|image_file_path:s image:I[500,500,3] labels:C3|train 1034,validation 133,test 128
imagenet-1k|image:I[?,?,3] label:C1000|train 1281167,validation 50000,test 100000
imagenet-1k-wds|jpg:I[?,?,3] cls:s64|train 1281167,validation 50000
imdb|text:s label:C2|train 25000,test 25000,unsupervised 50000
ag_news|text:s label:C4|train 120000,test 7600
dbpedia_14|label:C14 title:s content:s|train 560000,test 70000
yelp_review_full|label:C5 text:s|train 650000,test 50000
yelp_polarity|text:s label:C2|train 560000,test 38000
emotion|text:s label:C6|train 16000,validation 2000,test 2000
rotten_tomatoes|text:s label:C2|train 8530,validation 1066,test 1066
glue/cola|sentence:s label:C2 idx:s32|train 8551,validation 1043,test 1063
glue/sst2|sentence:s label:C2 idx:s32|train 67349,validation 872,test 1821
glue/mrpc|sentence1:s sentence2:s label:C2 idx:s32|train 3668,validation 408,test 1725
glue/qqp|question1:s question2:s label:C2 idx:s32|train 363846,validation 40430,test 390965
glue/stsb|sentence1:s sentence2:s label:f32 idx:s32|train 5749,validation 1500,test 1379
glue/mnli|premise:s hypothesis:s label:C3 idx:s32|train 392702,validation_matched 9815,
 validation_mismatched 9832,test_matched 9796,test_mismatched 9847
glue/qnli|question:s sentence:s label:C2 idx:s32|train 104743,validation 5463,test 5463
glue/rte|sentence1:s sentence2:s label:C2 idx:s32|train 2490,validation 277,test 3000
glue/wnli|sentence1:s sentence2:s label:C2 idx:s32|train 635,validation 71,test 146
squad|id:s title:s context:s question:s answers:*{text:s answer_start:s32}|train 87599,
 validation 10570
squad_v2|id:s title:s context:s question:s answers:*{text:s answer_start:s32}|train 130319,
 validation 11873
wikitext/wikitext-2-raw-v1+wikitext-2-v1|text:s|test 4358,train 36718,validation 3760
wikitext/wikitext-103-raw-v1+wikitext-103-v1|text:s|test 4358,train 1801350,validation 3760
openwebtext|text:s|train 8013769
xsum|document:s summary:s id:s|train 204045,validation 11332,test 11334
cnn_dailymail/3.0.0|article:s highlights:s id:s|train 287113,validation 13368,test 11490
lambdalabs/naruto-blip-captions|image:I[?,?,3] text:s|train 1221
lambdalabs/pokemon-blip-captions|image:I[?,?,3] text:s|train 833
huggan/flowers-102-categories|image:I[?,?,3]|train 8189
fusing/fill50k|image:I[512,512,3] conditioning_image:I[512,512,3] text:s|train 50000
fusing/instructpix2pix-1000-samples|input_image:I[?,?,3] edit_prompt:s edited_image:I[?,?,3]|
 train 1000
sentence-transformers/all-nli/pair|anchor:s positive:s|train 314315,dev 6808,test 6831
sentence-transformers/all-nli/pair-class|premise:s hypothesis:s label:C3|train 942069,dev 19657,
 test 19656
sentence-transformers/all-nli/pair-score|sentence1:s sentence2:s score:f64|train 942069,
 dev 19657,test 19656
sentence-transformers/all-nli/triplet|anchor:s positive:s negative:s|train 557850,dev 6584,
 test 6609
sentence-transformers/stsb|sentence1:s sentence2:s score:f64|train 5749,validation 1500,test 1379
sentence-transformers/natural-questions|query:s answer:s|train 100231
sentence-transformers/gooaq|question:s answer:s|train 3012496
gsm8k/main|question:s answer:s|train 7473,test 1319
"""
