"""Configuration trees."""

from yacs.config import CfgNode as _CfgNode


class CfgNode(_CfgNode):
    def merge_from_file(self, cfg_filename, allow_unsafe=False):
        super().merge_from_file(cfg_filename)
