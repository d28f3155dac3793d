import hydra
from omegaconf import OmegaConf


@hydra.main(version_base=None, config_path="conf", config_name="groups")
def main(cfg):
    print(sorted(cfg), cfg.lr, cfg.run, cfg.data.rows)
    print(sorted(cfg.setup), cfg.setup.model.width, cfg.setup.teacher.width, cfg.setup.seed)


main()
