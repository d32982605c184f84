"""The settings of the device: one TOML file, a documented default for everything."""

from firmware.config.keys import KEYS, ConfigError, Key
from firmware.config.reading import Config, config_file, defaults, parse_config, read_config
from firmware.config.writing import to_toml

__all__ = [
    "KEYS",
    "Config",
    "ConfigError",
    "Key",
    "config_file",
    "defaults",
    "parse_config",
    "read_config",
    "to_toml",
]
