from _timm.data import (RandomResizedCropAndInterpolation, ToNumpy, interp_mode_to_str,
                        str_to_interp_mode, str_to_pil_interp)
