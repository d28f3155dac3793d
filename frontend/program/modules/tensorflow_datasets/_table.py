"""Facts of TensorFlow Datasets' public catalog, a data set or one of its configurations a row.

name/configurations|supervised keys|features|examples of each split

A row that starts with a blank goes on with the one before. Features: s text, C10 a class of 10, I
an image of bytes (If32 of floats), V a video, u8 s64 f32 b and so on with sizes in brackets, ? for
one that differs, T100 a text as ids below 100, * a sequence, {} a dictionary, = as in the row
before.
"""

ROWS = """
ag_news_subset|description,label|description:s label:C4 title:s|test 7600,train 120000
beans|image,label|image:I[500,500,3] label:C3|test 128,train 1034,validation 133
bigearthnet/rgb|image,labels|filename:s image:I[120,120,3] labels:*C43
  metadata:{acquisition_date:s coordinates:{lrx:s64 lry:s64 ulx:s64 uly:s64} projection:s
  tile_source:s}|train 590326
bigearthnet/all||B01:f32[20,20] B02:f32[120,120] B03:f32[120,120] B04:f32[120,120] B05:f32[60,60]
  B06:f32[60,60] B07:f32[60,60] B08:f32[120,120] B09:f32[20,20] B11:f32[60,60] B12:f32[60,60]
  B8A:f32[60,60] filename:s labels:*C43 metadata:{acquisition_date:s coordinates:{lrx:s64 lry:s64
  ulx:s64 uly:s64} projection:s tile_source:s}|train 590326
binarized_mnist||image:I[28,28,1]|test 10000,train 50000,validation 10000
binary_alpha_digits|image,label|image:I[20,16,1] label:C36|train 1404
bool_q||answer:b passage:s question:s title:s|train 9427,validation 3270
c4/en||content-length:s content-type:s text:s timestamp:s url:s|train 364613570,validation 364724
c4/en.noclean||=|train 1063805169,validation 1065028
c4/realnewslike||=|train 13804817,validation 13855
c4/webtextlike||=|train 4488694,validation 4486
caltech101|image,label|image:I[?,?,3] image/file_name:s label:C102|test 6084,train 3060
caltech_birds2010|image,label|bbox:f32[4] image:I[?,?,3] image/filename:s label:C200 label_name:s
  segmentation_mask:I[?,?,1]|test 3033,train 3000
caltech_birds2011|image,label|bbox:f32[4] image:I[?,?,3] image/filename:s label:C200 label_name:s
  segmentation_mask:I[?,?,1]|test 5794,train 5994
cars196|image,label|bbox:f32[4] id:s image:I[?,?,3] label:C196|test 8041,train 8144
cassava|image,label|image:I[?,?,3] image/filename:s label:C5|test 1885,train 5656,validation 1889
cats_vs_dogs|image,label|image:I[?,?,3] image/filename:s label:C2|train 23262
celeb_a||attributes:{5_o_Clock_Shadow:b Arched_Eyebrows:b Attractive:b Bags_Under_Eyes:b Bald:b
  Bangs:b Big_Lips:b Big_Nose:b Black_Hair:b Blond_Hair:b Blurry:b Brown_Hair:b Bushy_Eyebrows:b
  Chubby:b Double_Chin:b Eyeglasses:b Goatee:b Gray_Hair:b Heavy_Makeup:b High_Cheekbones:b
  Male:b Mouth_Slightly_Open:b Mustache:b Narrow_Eyes:b No_Beard:b Oval_Face:b Pale_Skin:b
  Pointy_Nose:b Receding_Hairline:b Rosy_Cheeks:b Sideburns:b Smiling:b Straight_Hair:b
  Wavy_Hair:b Wearing_Earrings:b Wearing_Hat:b Wearing_Lipstick:b Wearing_Necklace:b
  Wearing_Necktie:b Young:b} identity:{Identity_No:s64} image:I[218,178,3]
  landmarks:{lefteye_x:s64 lefteye_y:s64 leftmouth_x:s64 leftmouth_y:s64 nose_x:s64 nose_y:s64
  righteye_x:s64 righteye_y:s64 rightmouth_x:s64 rightmouth_y:s64}|test 19962,train 162770,
 validation 19867
celeb_a_hq/1024||image:I[1024,1024,3] image/filename:s|train 30000
celeb_a_hq/512||image:I[512,512,3] image/filename:s|train 30000
celeb_a_hq/256||image:I[256,256,3] image/filename:s|train 30000
celeb_a_hq/128||image:I[128,128,3] image/filename:s|train 30000
celeb_a_hq/64||image:I[64,64,3] image/filename:s|train 30000
celeb_a_hq/32||image:I[32,32,3] image/filename:s|train 30000
celeb_a_hq/16||image:I[16,16,3] image/filename:s|train 30000
celeb_a_hq/8||image:I[8,8,3] image/filename:s|train 30000
celeb_a_hq/4||image:I[4,4,3] image/filename:s|train 30000
celeb_a_hq/2||image:I[2,2,3] image/filename:s|train 30000
celeb_a_hq/1||image:I[1,1,3] image/filename:s|train 30000
chexpert|image,label|image:I[?,?,3] image_view:C2 label:*C4 name:s|
cifar10|image,label|id:s image:I[32,32,3] label:C10|test 10000,train 50000
cifar100|image,label|coarse_label:C20 id:s image:I[32,32,3] label:C100|test 10000,train 50000
cifar10_1/v4|image,label|image:I[32,32,3] label:C10|test 2021
cifar10_1/v6|image,label|=|test 2000
cifar10_corrupted|image,label|image:I[32,32,3] label:C10|test 10000
cityscapes/semantic_segmentation||image_id:s image_left:I[1024,2048,3] segmentation_label:I[1024,
 2048,1]|test 1525,train 2975,validation 500
cityscapes/semantic_segmentation_extra||=|train 2975,train_extra 19998,validation 500
cityscapes/stereo_disparity||disparity_map:I[1024,2048,1] image_id:s image_left:I[1024,2048,3]
  image_right:I[1024,2048,3]|test 1525,train 2975,validation 500
cityscapes/stereo_disparity_extra||=|train 2975,train_extra 19997,validation 500
civil_comments/CivilComments|text,toxicity|article_id:s32 created_date:s id:s identity_attack:f32
  insult:f32 obscene:f32 parent_id:s32 parent_text:s publication_id:s severe_toxicity:f32
  sexual_explicit:f32 text:s threat:f32 toxicity:f32|test 97320,train 1804874,validation 97320
civil_comments/CivilCommentsIdentities|text,toxicity|article_id:s32 asian:f32 atheist:f32
  bisexual:f32 black:f32 buddhist:f32 christian:f32 created_date:s female:f32 heterosexual:f32
  hindu:f32 homosexual_gay_or_lesbian:f32 id:s identity_attack:f32 insult:f32
  intellectual_or_learning_disability:f32 jewish:f32 latino:f32 male:f32 muslim:f32 obscene:f32
  other_disability:f32 other_gender:f32 other_race_or_ethnicity:f32 other_religion:f32
  other_sexual_orientation:f32 parent_id:s32 parent_text:s physical_disability:f32
  psychiatric_or_mental_illness:f32 publication_id:s severe_toxicity:f32 sexual_explicit:f32
  text:s threat:f32 toxicity:f32 transgender:f32 white:f32|test 21577,train 405130,validation
  21293
civil_comments/CivilCommentsCovert|text,toxicity|article_id:s32 asian:f32 atheist:f32
  bisexual:f32 black:f32 buddhist:f32 christian:f32 covert_emoticons_emojis:f32 covert_humor:f32
  covert_masked_harm:f32 covert_microaggression:f32 covert_obfuscation:f32 covert_political:f32
  covert_sarcasm:f32 created_date:s explicitly_offensive:f32 female:f32 heterosexual:f32
  hindu:f32 homosexual_gay_or_lesbian:f32 id:s identity_attack:f32 implicitly_offensive:f32
  insult:f32 intellectual_or_learning_disability:f32 jewish:f32 latino:f32 male:f32 muslim:f32
  not_offensive:f32 not_sure_offensive:f32 obscene:f32 other_disability:f32 other_gender:f32
  other_race_or_ethnicity:f32 other_religion:f32 other_sexual_orientation:f32 parent_id:s32
  parent_text:s physical_disability:f32 psychiatric_or_mental_illness:f32 publication_id:s
  severe_toxicity:f32 sexual_explicit:f32 text:s threat:f32 toxicity:f32 transgender:f32
  white:f32|test 2455,train 48074
civil_comments/CivilCommentsToxicSpans|text,spans|article_id:s32 created_date:s id:s
  parent_id:s32 parent_text:s publication_id:s spans:s32[?] text:s|test 2000,train 7939,
 validation 682
civil_comments/CivilCommentsInContext|text,toxicity|article_id:s32 contextual_toxicity:f32
  created_date:s id:s identity_attack:f32 insult:f32 obscene:f32 parent_id:s32 parent_text:s
  publication_id:s severe_toxicity:f32 sexual_explicit:f32 text:s threat:f32 toxicity:f32|train
  9969
clevr||file_name:s image:I[?,?,3] objects:*{3d_coords:f32[3] color:C8 material:C2
  pixel_coords:f32[3] rotation:f32 shape:C3 size:C2} question_answer:*{answer:s question:s}|test
  15000,train 70000,validation 15000
cnn_dailymail|article,highlights|article:s highlights:s id:s publisher:s|test 11490,train 287113,
 validation 13368
coco/2014||image:I[?,?,3] image/filename:s image/id:s64 objects:*{area:s64 bbox:f32[4] id:s64
  is_crowd:b label:C80}|test 40775,test2015 81434,train 82783,validation 40504
coco/2017||=|test 40670,train 118287,validation 5000
coco/2017_panoptic||image:I[?,?,3] image/filename:s image/id:s64 panoptic_image:I[?,?,3]
  panoptic_image/filename:s panoptic_objects:*{area:s64 bbox:f32[4] id:s64 is_crowd:b label:C133}|
 train 118287,validation 5000
coco_captions/2014||captions:*{id:s64 text:s} image:I[?,?,3] image/filename:s image/id:s64
  objects:*{area:s64 bbox:f32[4] id:s64 is_crowd:b label:C80}|restval 30504,test 5000,train 82783,
 val 5000
coil100|image,angle_label|angle:s64 angle_label:C72 image:I[128,128,3] object_id:C100|train 7200
colorectal_histology|image,label|filename:s image:I[150,150,3] label:C8|train 5000
conll2003/conll2003||chunks:*C23 ner:*C9 pos:*C47 tokens:*s|dev 3251,test 3454,train 14042
criteo|(exposure+f0+f1+f10+f11+f2+f3+f4+f5+f6+f7+f8+f9+treatment),visit|conversion:b exposure:b
  f0:f32 f1:f32 f10:f32 f11:f32 f2:f32 f3:f32 f4:f32 f5:f32 f6:f32 f7:f32 f8:f32 f9:f32
  treatment:s64 visit:b|train 13979592
cycle_gan/apple2orange|image,label|image:I[?,?,3] label:C2|testA 266,testB 248,trainA 995,trainB
  1019
cycle_gan/summer2winter_yosemite|image,label|=|testA 309,testB 238,trainA 1231,trainB 962
cycle_gan/horse2zebra|image,label|=|testA 120,testB 140,trainA 1067,trainB 1334
cycle_gan/monet2photo|image,label|=|testA 121,testB 751,trainA 1072,trainB 6287
cycle_gan/cezanne2photo|image,label|=|testA 58,testB 751,trainA 525,trainB 6287
cycle_gan/ukiyoe2photo|image,label|=|testA 263,testB 751,trainA 562,trainB 6287
cycle_gan/vangogh2photo|image,label|=|testA 400,testB 751,trainA 400,trainB 6287
cycle_gan/maps|image,label|=|testA 1098,testB 1098,trainA 1096,trainB 1096
cycle_gan/facades|image,label|=|testA 106,testB 106,trainA 400,trainB 400
cycle_gan/iphone2dslr_flower|image,label|=|testA 569,testB 480,trainA 1812,trainB 3325
deep_weeds|image,label|image:I[256,256,3] label:C9|train 17509
diabetic_retinopathy_detection||image:I[?,?,3] label:C5 name:s|sample 10,test 42670,train 35126,
 validation 10906
diamonds|features,price|features:{carat:f32 clarity:C8 color:C7 cut:C5 depth:f32 table:f32 x:f32
  y:f32 z:f32} price:f32|train 53940
div2k/bicubic_x2+bicubic_x3+bicubic_x4+bicubic_x8+unknown_x2+unknown_x3+unknown_x4+
 realistic_mild_x4+realistic_difficult_x4|lr,hr|hr:I[?,?,3] lr:I[?,?,3]|train 800,validation 100
div2k/realistic_wild_x4|lr,hr|=|train 3200,validation 100
domainnet/real|image,label|image:I[?,?,3] label:C345|test 52041,train 120906
domainnet/painting|image,label|=|test 21850,train 50416
domainnet/clipart|image,label|=|test 14604,train 33525
domainnet/quickdraw|image,label|=|test 51750,train 120750
domainnet/infograph|image,label|=|test 15582,train 36023
domainnet/sketch|image,label|=|test 20916,train 48212
downsampled_imagenet/32x32+64x64||image:I[?,?,3]|train 1281149,validation 49999
dsprites||image:I[64,64,1] label_orientation:C40 label_scale:C6 label_shape:C3
  label_x_position:C32 label_y_position:C32 value_orientation:f32 value_scale:f32 value_shape:f32
  value_x_position:f32 value_y_position:f32|train 737280
dtd||file_name:s image:I[?,?,3] label:C47|test 1880,train 1880,validation 1880
emnist/byclass|image,label|image:I[28,28,1] label:C62|test 116323,train 697932
emnist/bymerge|image,label|image:I[28,28,1] label:C47|test 116323,train 697932
emnist/balanced|image,label|=|test 18800,train 112800
emnist/letters|image,label|image:I[28,28,1] label:C37|test 14800,train 88800
emnist/digits|image,label|image:I[28,28,1] label:C10|test 40000,train 240000
emnist/mnist|image,label|=|test 10000,train 60000
eurosat/rgb|image,label|filename:s image:I[64,64,3] label:C10|train 27000
eurosat/all|sentinel2,label|filename:s label:C10 sentinel2:f32[64,64,13]|train 27000
fashion_mnist|image,label|image:I[28,28,1] label:C10|test 10000,train 60000
food101|image,label|image:I[?,?,3] label:C101|train 75750,validation 25250
gigaword|document,summary|document:s summary:s|test 1951,train 3803957,validation 189651
glue/cola||idx:s32 label:C2 sentence:s|test 1063,train 8551,validation 1043
glue/sst2||=|test 1821,train 67349,validation 872
glue/mrpc||idx:s32 label:C2 sentence1:s sentence2:s|test 1725,train 3668,validation 408
glue/qqp||idx:s32 label:C2 question1:s question2:s|test 390965,train 363846,validation 40430
glue/stsb||idx:s32 label:f32 sentence1:s sentence2:s|test 1379,train 5749,validation 1500
glue/mnli||hypothesis:s idx:s32 label:C3 premise:s|test_matched 9796,test_mismatched 9847,train
  392702,validation_matched 9815,validation_mismatched 9832
glue/mnli_mismatched||=|test 9847,validation 9832
glue/mnli_matched||=|test 9796,validation 9815
glue/qnli||idx:s32 label:C2 question:s sentence:s|test 5463,train 104743,validation 5463
glue/rte||idx:s32 label:C2 sentence1:s sentence2:s|test 3000,train 2490,validation 277
glue/wnli||=|test 146,train 635,validation 71
glue/ax||hypothesis:s idx:s32 label:C3 premise:s|test 1104
gsm8k||annotation:s answer:s question:s short_answer:s|test 1319,test_socratic 1319,train 7473,
 train_socratic 7473
gtzan|audio,label|audio:s64[?] audio/filename:s label:C10|train 1000
higgs||class_label:f32 jet_1_b-tag:f64 jet_1_eta:f64 jet_1_phi:f64 jet_1_pt:f64 jet_2_b-tag:f64
  jet_2_eta:f64 jet_2_phi:f64 jet_2_pt:f64 jet_3_b-tag:f64 jet_3_eta:f64 jet_3_phi:f64
  jet_3_pt:f64 jet_4_b-tag:f64 jet_4_eta:f64 jet_4_phi:f64 jet_4_pt:f64 lepton_eta:f64
  lepton_pT:f64 lepton_phi:f64 m_bb:f64 m_jj:f64 m_jjj:f64 m_jlv:f64 m_lv:f64 m_wbb:f64
  m_wwbb:f64 missing_energy_magnitude:f64 missing_energy_phi:f64|train 11000000
horses_or_humans|image,label|image:I[300,300,3] label:C2|test 256,train 1027
i_naturalist2017|image,label|id:s image:I[?,?,3] label:C5089 supercategory:C13|test 182707,train
  579184,validation 95986
i_naturalist2021|image,label|file_id:s id:s64 image:I[?,?,3] label:C10000 supercategory:C11|mini
  500000,test 500000,train 2686843,val 100000
imagenet2012|image,label|file_name:s image:I[?,?,3] label:C1000|test 100000,train 1281167,
 validation 50000
imagenet2012_corrupted|image,label|file_name:s image:I[224,224,3] label:C1000|validation 50000
imagenet2012_fewshot/1shot|image,label|file_name:s image:I[?,?,3] label:C1000|train 1000,tune
  1000,validation 50000
imagenet2012_fewshot/5shot|image,label|=|train 5000,tune 1000,validation 50000
imagenet2012_fewshot/10shot|image,label|=|train 10000,tune 1000,validation 50000
imagenet2012_real|image,real_label|file_name:s image:I[?,?,3] original_label:C1000
  real_label:*C1000|validation 50000
imagenet2012_subset/1pct|image,label|file_name:s image:I[?,?,3] label:C1000|train 12811,
 validation 50000
imagenet2012_subset/10pct|image,label|=|train 128116,validation 50000
imagenet_a|image,label|file_name:s image:I[?,?,3] label:C1000|test 7500
imagenet_r|image,label|file_name:s image:I[?,?,3] label:C1000|test 30000
imagenet_resized/8x8|image,label|image:I[8,8,3] label:C1000|train 1281167,validation 50000
imagenet_resized/16x16|image,label|image:I[16,16,3] label:C1000|train 1281167,validation 50000
imagenet_resized/32x32|image,label|image:I[32,32,3] label:C1000|train 1281167,validation 50000
imagenet_resized/64x64|image,label|image:I[64,64,3] label:C1000|train 1281167,validation 50000
imagenet_sketch|image,label|file_name:s image:I[?,?,3] label:C1000|test 50889
imagenet_v2/matched-frequency+threshold-0.7+topimages|image,label|file_name:s image:I[?,?,3]
  label:C1000|test 10000
imagenette/full-size-v2+320px-v2+160px-v2|image,label|image:I[?,?,3] label:C10|train 9469,
 validation 3925
imagenette/full-size+320px+160px|image,label|=|train 12894,validation 500
imagewang/full-size+320px+160px|image,label|image:I[?,?,3] label:C20|train 14669,validation 3929
imdb_reviews/plain_text|text,label|label:C2 text:s|test 25000,train 25000,unsupervised 50000
imdb_reviews/bytes|text,label|label:C2 text:T257|test 25000,train 25000,unsupervised 50000
imdb_reviews/subwords8k|text,label|label:C2 text:T8185|test 25000,train 25000,unsupervised 50000
imdb_reviews/subwords32k|text,label|label:C2 text:T32650|test 25000,train 25000,unsupervised 50000
iris|features,label|features:f32[4] label:C3|train 150
kmnist|image,label|image:I[28,28,1] label:C10|test 10000,train 60000
lfw|label,image|image:I[250,250,3] label:s|train 13233
librispeech/default+lazy_decode|speech,text|chapter_id:s64 id:s speaker_id:s64 speech:s16[?]
  text:s|dev_clean 2703,dev_other 2864,test_clean 2620,test_other 2939,train_clean100 28539,
 train_clean360 104014,train_other500 148688
libritts|text_normalized,speech|chapter_id:s64 id:s speaker_id:s64 speech:s64[?]
  text_normalized:s text_original:s|dev_clean 5736,dev_other 4613,test_clean 4837,test_other 5120,
 train_clean100 33236,train_clean360 116500,train_other500 205044
ljspeech|text_normalized,speech|id:s speech:s16[?] text:s text_normalized:s|train 13100
lm1b|text,text|text:s|test 306688,train 30301028
lsun/classroom||id:s image:I[?,?,3]|train 168103,validation 300
lsun/bedroom||=|train 3033042,validation 300
lsun/bridge||=|train 818687,validation 300
lvis||image:I[?,?,3] image/id:s64 neg_category_ids:*C1203 not_exhaustive_category_ids:*C1203
  objects:*{area:s64 bbox:f32[4] id:s64 label:C1203 segmentation:I[?,?,1]}|minival 4809,test
  19822,train 100170,validation 19809
malaria|image,label|image:I[?,?,3] label:C2|train 27558
mnist|image,label|image:I[28,28,1] label:C10|test 10000,train 60000
mnist_corrupted|image,label|image:I[28,28,1] label:C10|test 10000,train 60000
movielens/25m-ratings||movie_genres:*C21 movie_id:s movie_title:s timestamp:s64 user_id:s
  user_rating:f32|train 25000095
movielens/25m-movies||movie_genres:*C21 movie_id:s movie_title:s|train 62423
movielens/latest-small-ratings||movie_genres:*C21 movie_id:s movie_title:s timestamp:s64
  user_id:s user_rating:f32|train 100836
movielens/latest-small-movies||movie_genres:*C21 movie_id:s movie_title:s|train 9742
movielens/100k-ratings||bucketized_user_age:f32 movie_genres:*C21 movie_id:s movie_title:s
  raw_user_age:f32 timestamp:s64 user_gender:b user_id:s user_occupation_label:C22
  user_occupation_text:s user_rating:f32 user_zip_code:s|train 100000
movielens/100k-movies||movie_genres:*C21 movie_id:s movie_title:s|train 1682
movielens/1m-ratings||bucketized_user_age:f32 movie_genres:*C21 movie_id:s movie_title:s
  timestamp:s64 user_gender:b user_id:s user_occupation_label:C22 user_occupation_text:s
  user_rating:f32 user_zip_code:s|train 1000209
movielens/1m-movies||movie_genres:*C21 movie_id:s movie_title:s|train 3883
movielens/20m-ratings||movie_genres:*C21 movie_id:s movie_title:s timestamp:s64 user_id:s
  user_rating:f32|train 20000263
movielens/20m-movies||movie_genres:*C21 movie_id:s movie_title:s|train 27278
moving_mnist||image_sequence:V[?,64,64,1]|test 10000
multi_nli||hypothesis:s label:C3 premise:s|train 392702,validation_matched 9815,
 validation_mismatched 9832
nyu_depth_v2|image,depth|depth:f16[480,640] image:I[480,640,3]|train 47584,validation 654
omniglot|image,label|alphabet:C50 alphabet_char_id:s64 image:I[105,105,3] label:C1623|small1 2720,
 small2 3120,test 13180,train 19280
oxford_flowers102|image,label|file_name:s image:I[?,?,3] label:C102|test 6149,train 1020,
 validation 1020
oxford_iiit_pet|image,label|file_name:s head_bbox:f32[4] image:I[?,?,3] label:C37
  segmentation_mask:I[?,?,1] species:C2|test 3669,train 3680
patch_camelyon|image,label|id:s image:I[96,96,3] label:C2|test 32768,train 262144,validation 32768
paws_wiki/labeled_final_tokenized+labeled_final_raw||label:C2 sentence1:s sentence2:s|test 8000,
 train 49401,validation 8000
paws_wiki/labeled_swap_tokenized+labeled_swap_raw||=|train 30397
paws_wiki/unlabeled_final_tokenized||=|train 645652,validation 10000
pet_finder|attributes,label|PetID:s attributes:{Age:s64 Breed1:s64 Breed2:s64 Color1:s64
  Color2:s64 Color3:s64 Dewormed:s64 Fee:s64 FurLength:s64 Gender:s64 Health:s64 MaturitySize:s64
  Quantity:s64 State:s64 Sterilized:s64 Type:s64 Vaccinated:s64 VideoAmt:s64} image:I[?,?,3]
  image/filename:s label:C5|test 14465,train 58311
places365_small|image,label,filename|filename:s image:I[256,256,3] label:C365|test 328500,train
  1803460,validation 36500
plant_village|image,label|image:I[?,?,3] image/filename:s label:C38|train 54303
quickdraw_bitmap|image,label|image:I[28,28,1] label:C345|train 50426266
resisc45|image,label|filename:s image:I[256,256,3] label:C45|train 31500
rock_paper_scissors|image,label|image:I[300,300,3] label:C3|test 372,train 2520
scene_parse150|image,annotation|annotation:I[?,?,3] image:I[?,?,3]|test 2000,train 20210
sentiment140|text,polarity|date:s polarity:s32 query:s text:s user:s|test 498,train 1600000
shapes3d||image:I[64,64,3] label_floor_hue:C10 label_object_hue:C10 label_orientation:C15
  label_scale:C8 label_shape:C4 label_wall_hue:C10 value_floor_hue:f32 value_object_hue:f32
  value_orientation:f32 value_scale:f32 value_shape:f32 value_wall_hue:f32|train 480000
smallnorb|image,label_category|image:I[96,96,1] image2:I[96,96,1] instance:C10 label_azimuth:C18
  label_category:C5 label_elevation:C9 label_lighting:C6|test 24300,train 24300
snli||hypothesis:s label:C3 premise:s|test 10000,train 550152,validation 10000
so2sat/rgb|image,label|image:I[32,32,3] label:C17 sample_id:s64|
so2sat/all||label:C17 sample_id:s64 sentinel1:f32[32,32,8] sentinel2:f32[32,32,10]|
speech_commands|audio,label|audio:s16[?] label:C12|test 4890,train 85511,validation 10102
squad/v1.1||answers:*{answer_start:s32 text:s} context:s id:s question:s title:s|train 87599,
 validation 10570
squad/v2.0||answers:*{answer_start:s32 text:s} context:s id:s is_impossible:b
  plausible_answers:*{answer_start:s32 text:s} question:s title:s|train 130319,validation 11873
stanford_dogs|image,label|image:I[?,?,3] image/filename:s label:C120 objects:*{bbox:f32[4]}|test
  8580,train 12000
stl10|image,label|image:I[96,96,3] label:C10|test 8000,train 5000,unlabelled 100000
sun397/tfds||file_name:s image:I[?,?,3] label:C397|test 21750,train 76128,validation 10875
super_glue/boolq||idx:s32 label:C2 passage:s question:s|test 3245,train 9427,validation 3270
super_glue/cb||hypothesis:s idx:s32 label:C3 premise:s|test 250,train 250,validation 56
super_glue/copa||choice1:s choice2:s idx:s32 label:C2 premise:s question:s|test 500,train 400,
 validation 100
super_glue/multirc||answer:s idx:{answer:s32 paragraph:s32 question:s32} label:C2 paragraph:s
  question:s|test 9693,train 27243,validation 4848
super_glue/record||answers:*s entities:*s idx:{passage:s32 query:s32} passage:s query:s|test
  10000,train 100730,validation 10000
super_glue/rte||hypothesis:s idx:s32 label:C2 premise:s|test 3000,train 2490,validation 277
super_glue/wic||end1:s32 end2:s32 idx:s32 label:C2 sentence1:s sentence2:s start1:s32 start2:s32
  word:s|test 1400,train 5428,validation 638
super_glue/wsc+wsc.fixed||idx:s32 label:C2 span1_index:s32 span1_text:s span2_index:s32
  span2_text:s text:s|test 146,train 554,validation 104
super_glue/axb||idx:s32 label:C2 sentence1:s sentence2:s|test 1104
super_glue/axg||hypothesis:s idx:s32 label:C2 premise:s|test 356
svhn_cropped|image,label|id:s image:I[32,32,3] label:C10|extra 531131,test 26032,train 73257
ted_hrlr_translate/az_to_en|az,en|az:s en:s|test 903,train 5946,validation 671
ted_hrlr_translate/aztr_to_en|az_tr,en|az_tr:s en:s|test 903,train 188396,validation 671
ted_hrlr_translate/be_to_en|be,en|be:s en:s|test 664,train 4509,validation 248
ted_hrlr_translate/beru_to_en|be_ru,en|be_ru:s en:s|test 664,train 212614,validation 248
ted_hrlr_translate/es_to_pt|es,pt|es:s pt:s|test 1763,train 44938,validation 1016
ted_hrlr_translate/fr_to_pt|fr,pt|fr:s pt:s|test 1494,train 43873,validation 1131
ted_hrlr_translate/gl_to_en|gl,en|en:s gl:s|test 1007,train 10017,validation 682
ted_hrlr_translate/glpt_to_en|gl_pt,en|en:s gl_pt:s|test 1007,train 61802,validation 682
ted_hrlr_translate/he_to_pt|he,pt|he:s pt:s|test 1623,train 48511,validation 1145
ted_hrlr_translate/it_to_pt|it,pt|it:s pt:s|test 1669,train 46259,validation 1162
ted_hrlr_translate/pt_to_en|pt,en|en:s pt:s|test 1803,train 51785,validation 1193
ted_hrlr_translate/ru_to_en|ru,en|en:s ru:s|test 5476,train 208106,validation 4805
ted_hrlr_translate/ru_to_pt|ru,pt|pt:s ru:s|test 1588,train 47278,validation 1184
ted_hrlr_translate/tr_to_en|tr,en|en:s tr:s|test 5029,train 182450,validation 4045
tf_flowers|image,label|image:I[?,?,3] label:C5|train 3670
tiny_shakespeare||text:s|test 1,train 1,validation 1
titanic|(age+boat+body+cabin+embarked+fare+home.dest+name+parch+pclass+sex+sibsp+ticket),survived|
 age:f32 boat:s body:s32 cabin:s embarked:C4 fare:f32 home.dest:s name:s parch:s32 pclass:C3
  sex:C2 sibsp:s32 survived:C2 ticket:s|train 1309
trivia_qa/rc+rc.nocontext||answer:{aliases:*s matched_wiki_entity_name:s normalized_aliases:*s
  normalized_matched_wiki_entity_name:s normalized_value:s type:s value:s}
  entity_pages:*{doc_source:s filename:s title:s wiki_context:s} question:s question_id:s
  question_source:s search_results:*{description:s filename:s rank:s32 search_context:s title:s
  url:s}|test 17210,train 138384,validation 18669
trivia_qa/unfiltered+unfiltered.nocontext||=|test 10832,train 87622,validation 11313
uc_merced|image,label|filename:s image:I[?,?,3] label:C21|train 2100
ucf101/ucf101_1_256||label:C101 video:V[?,256,256,3]|test 3783,train 9537
ucf101/ucf101_1||label:C101 video:V[?,?,?,3]|test 3783,train 9537
ucf101/ucf101_2||=|test 3734,train 9586
ucf101/ucf101_3||=|test 3696,train 9624
voc/2007||image:I[?,?,3] image/filename:s labels:*C20 labels_no_difficult:*C20
  objects:*{bbox:f32[4] is_difficult:b is_truncated:b label:C20 pose:C5}|test 4952,train 2501,
 validation 2510
voc/2012||=|test 10991,train 5717,validation 5823
wider_face||faces:*{bbox:f32[4] blur:u8 expression:b illumination:b invalid:b occlusion:u8
  pose:b} image:I[?,?,3] image/filename:s|test 16097,train 12880,validation 3226
wiki40b/en||text:s version_id:s wikidata_id:s|test 162274,train 2926536,validation 163597
wikipedia/20230601.en||text:s title:s|train 6672479
wikipedia/20230201.en||=|
wine_quality/white|features,quality|features:{alcohol:f32 chlorides:f32 citric acid:f32
  density:f32 fixed acidity:f32 free sulfur dioxide:f32 pH:f32 residual sugar:f32 sulphates:f64
  total sulfur dioxide:f32 volatile acidity:f32} quality:s32|train 4898
wine_quality/red|features,quality|=|train 1599
wmt14_translate/cs-en|cs,en|cs:s en:s|test 3003,train 15786979,validation 3000
wmt14_translate/de-en|de,en|de:s en:s|test 3003,train 4508785,validation 3000
wmt14_translate/fr-en|fr,en|en:s fr:s|test 3003,train 40836876,validation 3000
wmt14_translate/hi-en|hi,en|en:s hi:s|test 2507,train 313748,validation 520
wmt14_translate/ru-en|ru,en|en:s ru:s|test 3003,train 2486965,validation 3000
wmt16_translate/cs-en|cs,en|cs:s en:s|test 2999,train 52335651,validation 2656
wmt16_translate/de-en|de,en|de:s en:s|test 2999,train 4548885,validation 2169
wmt16_translate/fi-en|fi,en|en:s fi:s|test 6000,train 2073394,validation 1370
wmt16_translate/ro-en|ro,en|en:s ro:s|test 1999,train 610320,validation 1999
wmt16_translate/ru-en|ru,en|en:s ru:s|test 2998,train 2516162,validation 2818
wmt16_translate/tr-en|tr,en|en:s tr:s|test 3000,train 205756,validation 1001
wmt17_translate/cs-en|cs,en|cs:s en:s|test 3005,train 15851649,validation 2999
wmt17_translate/de-en|de,en|de:s en:s|test 3004,train 5906184,validation 2999
wmt17_translate/fi-en|fi,en|en:s fi:s|test 6004,train 2656542,validation 6000
wmt17_translate/lv-en|lv,en|en:s lv:s|test 2001,train 3567528,validation 2003
wmt17_translate/ru-en|ru,en|en:s ru:s|test 3001,train 25782720,validation 2998
wmt17_translate/tr-en|tr,en|en:s tr:s|test 3007,train 205756,validation 3000
wmt17_translate/zh-en|zh,en|en:s zh:s|test 2001,train 25136609,validation 2002
wmt19_translate/cs-en|cs,en|cs:s en:s|train 20246548,validation 2983
wmt19_translate/de-en|de,en|de:s en:s|train 38690334,validation 2998
wmt19_translate/fi-en|fi,en|en:s fi:s|train 6587448,validation 3000
wmt19_translate/gu-en|gu,en|en:s gu:s|train 11670,validation 1998
wmt19_translate/kk-en|kk,en|en:s kk:s|train 126583,validation 2066
wmt19_translate/lt-en|lt,en|en:s lt:s|train 2344893,validation 2000
wmt19_translate/ru-en|ru,en|en:s ru:s|train 38492126,validation 3000
wmt19_translate/zh-en|zh,en|en:s zh:s|train 25986436,validation 3981
wmt19_translate/fr-de|fr,de|de:s fr:s|train 9824476,validation 1512
xsum|document,summary|document:s summary:s|test 11301,train 203577,validation 11305
yelp_polarity_reviews|text,label|label:C2 text:s|test 38000,train 560000
"""
