"""An encoder and a decoder of any kinds."""

from torch.nn import Linear
from transformers import _heads
from transformers._t5 import shift_right
from transformers.configuration_utils import PretrainedConfig
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


class EncoderDecoderModel(PreTrainedModel):
    _kind = "encoder-decoder"

    def __init__(self, config=None, encoder=None, decoder=None):
        from transformers import AutoModel, AutoModelForCausalLM
        if config is None:
            from transformers._registry import config_class
            config = config_class(self._kind)(encoder=encoder.config, decoder=decoder.config)
        PreTrainedModel.__init__(self, config)
        if decoder is None:
            config.decoder.is_decoder = config.decoder.add_cross_attention = True
            decoder = AutoModelForCausalLM.from_config(config.decoder)
        self.encoder = AutoModel.from_config(config.encoder) if encoder is None else encoder
        self.decoder = decoder
        self._join()

    def _join(self):
        a, b = self.encoder.config.hidden_size, self.decoder.config.hidden_size
        if a != b:
            self.enc_to_dec_proj = Linear(a, b)

    @property
    def base_model(self):
        return self

    @classmethod
    def from_encoder_decoder_pretrained(cls, encoder_pretrained_model_name_or_path=None,
                                        decoder_pretrained_model_name_or_path=None, **kwargs):
        from transformers import AutoConfig, AutoModel, AutoModelForCausalLM
        c = AutoConfig.from_pretrained(decoder_pretrained_model_name_or_path)
        if isinstance(c, PretrainedConfig):
            c.is_decoder = c.add_cross_attention = True
        return cls(encoder=AutoModel.from_pretrained(encoder_pretrained_model_name_or_path),
                   decoder=AutoModelForCausalLM.from_config(c))

    def forward(self, input_ids=None, attention_mask=None, decoder_input_ids=None,
                decoder_attention_mask=None, pixel_values=None, labels=None, return_dict=None,
                **kwargs):
        if pixel_values is not None:
            x = self.encoder(pixel_values)[0]
        else:
            x = self.encoder(input_ids, attention_mask=attention_mask)[0]
        if "enc_to_dec_proj" in self._modules:
            x = self.enc_to_dec_proj(x)
        if decoder_input_ids is None and labels is not None:
            decoder_input_ids = shift_right(labels, self.config)
        out = self.decoder(decoder_input_ids, attention_mask=decoder_attention_mask,
                           encoder_hidden_states=x,
                           encoder_attention_mask=attention_mask if pixel_values is None else None)
        logits = out["logits"]
        loss = None if labels is None else _heads.token_loss(logits, labels)
        return made(return_dict, loss=loss, logits=logits)


class VisionEncoderDecoderModel(EncoderDecoderModel):
    main_input_name = "pixel_values"
    _kind = "vision-encoder-decoder"

    def forward(self, pixel_values=None, decoder_input_ids=None, decoder_attention_mask=None,
                labels=None, return_dict=None, **kwargs):
        return EncoderDecoderModel.forward(
            self, None, None, decoder_input_ids, decoder_attention_mask, pixel_values, labels,
            return_dict)


def heads(kind):
    return {"Model": VisionEncoderDecoderModel if kind[:6] == "vision" else EncoderDecoderModel}
