"""Models and schedulers of diffusers that keep what they were made with."""

import json

import _python
import _tilewise


class Config(dict):
    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)


class Configured:
    # (parts of names on the hub, their configuration); a part that ends in - or . is a beginning.
    published = ()
    config_name = "config.json"

    def keep_config(self, values):
        self.config = Config({k: v for k, v in values.items()
                              if k not in ("self", "options") and not k.startswith("__")})

    def register_to_config(self, **values):
        self.config.update(values)

    @classmethod
    def from_config(cls, config, **options):
        known = _python.signature(cls.__init__)
        names = [row[0] for row in known]
        given = {k: v for k, v in dict(config, **options).items() if k in names and k != "self"}
        return cls(**given)

    @classmethod
    def load_config(cls, name, subfolder=None, **options):
        if _tilewise.is_unknown(name):
            return name
        folder = str(name) + ("/" + subfolder if subfolder else "")
        text = _python.read_file(folder + "/config.json")
        if text:
            return json.loads(text)
        last = str(name).rstrip("/").split("/")[-1]
        for parts, config in cls.published:
            for part in parts:
                if last == part or part[-1] in "-." and last.startswith(part):
                    return dict(config)
        return _tilewise.unknown("the sizes of " + cls.__name__ + " of " + str(name) +
                                 ", which tilewise does not know; a folder with its config.json "
                                 "can be given instead")

    @classmethod
    def from_pretrained(cls, name, subfolder=None, torch_dtype=None, **options):
        config = cls.load_config(name, subfolder)
        if _tilewise.is_unknown(config):
            return config
        made = cls.from_config(config)
        made.eval()
        return made if torch_dtype is None else made.to(torch_dtype)

    @property
    def dtype(self):
        return next(self.parameters()).dtype

    @property
    def device(self):
        return next(self.parameters()).device

    def save_pretrained(self, *args, **kwargs):
        pass

    save_config = push_to_hub = enable_xformers_memory_efficient_attention = save_pretrained
    set_attn_processor = fuse_qkv_projections = disable_adapters = enable_adapters = \
        save_pretrained
    disable_xformers_memory_efficient_attention = set_use_memory_efficient_attention_xformers = \
        save_pretrained
    enable_xla_flash_attention = disable_xla_flash_attention = set_attention_backend = \
        save_pretrained

    def enable_gradient_checkpointing(self):
        _tilewise.record("remat")

    def add_adapter(self, adapter_config, adapter_name="default"):
        from peft import inject_adapter_in_model
        inject_adapter_in_model(adapter_config, self, adapter_name)
