from toml import TOMLDecodeError, load, loads
