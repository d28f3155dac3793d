import json
import re

data = {"name": "vit", "depth": 12, "lr": 1e-4, "on": True, "none": None, "dims": [1, 2.5, "x"], "nested": {"a": []}}
text = json.dumps(data)
print(text)
print(json.loads(text) == data, json.dumps([1, "é\n\"q\"", {}, []]), json.dumps({"b": 1, "a": 2}, sort_keys=True), json.dumps((1, None)), json.dumps({1: 2, None: 3, True: 4}))
print(json.dumps({"a": [1, 2], "b": {"c": {}}}, indent=2))
print(json.dumps([1, 2], separators=(",", ":")), json.loads(' [1, -2.5e3, "a\\u00e9\\n", true, null] '), json.loads('{"a": {"b": [{}]}}')["a"]["b"], json.dumps("é", ensure_ascii=False), json.dumps(1.0))
try:
    json.loads("{bad}")
except json.JSONDecodeError:
    print("bad json")
try:
    json.dumps({1, 2})
except TypeError as e:
    print(e)
print(json.dumps({"s": {1}}, default=list), json.loads('{"a": 1}', object_pairs_hook=list))
m = re.match(r"(\w+)\.(\d+)\.(?P<rest>.*)", "layers.12.attn.qkv")
print(m.group(), m.group(1), m.groups(), m["rest"], m.groupdict(), m.start(2), m.end(2), m.span())
print(re.search(r"\d+", "abc123def456").group(), re.findall(r"\d+", "a1b22c333"), re.findall(r"(\w)(\d)", "a1b2"), re.search("x", "abc"), re.match("b", "abc"))
print(re.sub(r"\s+", " ", "a  b \n c"), re.sub(r"(\w+)=(\w+)", r"\2=\1", "a=1 b=2"), re.sub("a", lambda m: m.group().upper(), "banana", count=2), re.subn("a", "o", "banana"))
print(re.split(r"[,;]\s*", "a, b;c"), re.split(r"(-)", "a-b-c"), re.split(",", "a,b,c", 1), re.sub(r"\.(\d+)\.", r"[\g<1>].", "blocks.3.attn"))
pattern = re.compile(r"^(block|stage)(\d+)", re.IGNORECASE)
print(bool(pattern.match("Block12")), pattern.sub(r"\1_\2", "stage3.conv"), pattern.pattern, [x.group(2) for x in re.finditer(r"(a)(\d)", "a1 a2")])
print(re.fullmatch(r"r\d+_s\d", "r2_s3") is not None, re.fullmatch(r"\d", "12"), re.escape("a.b*c"), re.findall(r"(?i)AB|c", "abC"), re.findall("^b", "a\nb", re.M))
args = {}
for op in "ds_r1_k3_s2_e1_c16_se0.25".split("_")[1:]:
    splits = re.split(r"(\d.*)", op)
    if len(splits) >= 2:
        args[splits[0]] = splits[1]
print(args, re.sub("x*", "-", "abc"), re.findall(r"\b\w", "hello big world"), re.sub(r"(?<=a)b", "X", "ab cb"))
if (found := re.search(r"step_(\d+)", "ckpt/step_500.pt")):
    print(int(found.group(1)) + 1)
print(re.match(r"(a)|(b)", "b").groups(), re.match(r"(a)|(b)", "b").lastindex, re.sub(r"([A-Z])", r"_\1", "camelCaseName").lower(), re.compile("a").findall("banana"))
