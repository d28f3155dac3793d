"""Images of which parts are hidden: masked autoencoders and SimMIM."""

import _tilewise
import torch
from torch.nn import (Conv2d, LayerNorm, Linear, Module, ModuleList, Parameter, PixelShuffle,
                      Sequential)
from transformers import _vit
from transformers._heads import wrap_take
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


class _Decoder(Module):
    def __init__(self, config, patches):
        Module.__init__(self)
        c = config
        d = c.decoder_hidden_size
        self.decoder_embed = Linear(c.hidden_size, d)
        self.mask_token = Parameter(torch.zeros(1, 1, d))
        self.decoder_pos_embed = Parameter(torch.zeros(1, patches + 1, d), False)
        own = c.__deepcopy__({})
        own.hidden_size, own.num_hidden_layers = d, c.decoder_num_hidden_layers
        own.num_attention_heads = c.decoder_num_attention_heads
        own.intermediate_size = c.decoder_intermediate_size
        self.decoder_layers = ModuleList([_vit.ViTLayer(own)
                                          for _ in range(c.decoder_num_hidden_layers)])
        self.decoder_norm = LayerNorm(d, c.layer_norm_eps)
        self.decoder_pred = Linear(d, c.patch_size ** 2 * c.num_channels)

    def forward(self, x, back):
        x = self.decoder_embed(x)
        b, kept, d = x.shape
        n = back.shape[1]
        hidden = self.mask_token.expand(b, n + 1 - kept, d)
        rest = torch.cat([x.narrow(1, 1, kept - 1), hidden], 1)
        x = torch.cat([x.narrow(1, 0, 1), wrap_take(rest, back)], 1) + self.decoder_pos_embed
        for layer in self.decoder_layers:
            x = layer(x)
        return self.decoder_pred(self.decoder_norm(x)).narrow(1, 1, n)


class ViTMAEForPreTraining(PreTrainedModel):
    main_input_name = "pixel_values"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        self.vit = make("vit_mae", "Model")(config)
        n = self.vit.embeddings.patch_embeddings.num_patches
        self.decoder = _Decoder(config, n)
        self.post_init()

    def forward(self, pixel_values=None, noise=None, return_dict=None, **kwargs):
        c, e = self.config, self.vit.embeddings
        patches = e.patch_embeddings(pixel_values)
        b, n, h = patches.shape
        kept = int(n * (1 - c.mask_ratio))
        order = torch.rand(b, n).argsort(1)
        back = order.argsort(1)
        x = patches + e.position_embeddings.narrow(1, 1, n)
        x = wrap_take(x, order.narrow(1, 0, kept))
        first = (e.cls_token + e.position_embeddings.narrow(1, 0, 1)).expand(b, 1, h)
        x = self.vit.layernorm(self.vit.encoder(torch.cat([first, x], 1), []))
        logits = self.decoder(x, back)
        p, side = c.patch_size, pixel_values.shape[-1] // c.patch_size
        target = pixel_values.reshape(b, c.num_channels, side, p, side, p)
        target = target.permute(0, 2, 4, 3, 5, 1).reshape(b, n, p * p * c.num_channels)
        if c.norm_pix_loss:
            target = (target - target.mean(-1, keepdim=True)) / (
                target.var(-1, keepdim=True) + 1e-6).sqrt()
        mask = (back >= kept).float()
        each = (logits - target).square().mean(-1)
        loss = (each * mask).sum() / mask.sum()
        _tilewise.record("loss", value=loss._h, name="mse", from_logits=False, sparse=False)
        return made(return_dict, loss=loss, logits=logits, mask=mask)


class ViTForMaskedImageModeling(PreTrainedModel):
    main_input_name = "pixel_values"
    _kind = "vit"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        self.vit = make(self._kind, "Model")(config, add_pooling_layer=False, use_mask_token=True)
        stride = config.encoder_stride
        self.decoder = Sequential(
            Conv2d(config.hidden_size, stride ** 2 * config.num_channels, 1),
            PixelShuffle(stride))
        self.post_init()

    def forward(self, pixel_values=None, bool_masked_pos=None, return_dict=None, **kwargs):
        x = self.vit(pixel_values, bool_masked_pos)["last_hidden_state"]
        b, t, h = x.shape
        side = int((t - 1) ** 0.5)
        x = x.narrow(1, 1, t - 1).permute(0, 2, 1).reshape(b, h, side, side)
        image = self.decoder(x)
        loss = None
        if bool_masked_pos is not None:
            loss = torch.nn.functional.l1_loss(pixel_values, image)
        return made(return_dict, loss=loss, reconstruction=image)


def heads(kind):
    if kind == "vit_mae":
        return {"ForPreTraining": ViTMAEForPreTraining}
    return {"ForMaskedImageModeling": ViTForMaskedImageModeling}
