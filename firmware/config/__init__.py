"""The settings of the device: one TOML file, a documented default for everything."""

from firmware.config.keys import KEYS, ConfigError, Key
from firmware.config.outside import check_outside, faults
from firmware.config.reading import (
    VARIABLE,
    Config,
    config_file,
    defaults,
    parse_config,
    read_config,
)
from firmware.config.writing import to_toml

__all__ = [
    "KEYS",
    "VARIABLE",
    "Config",
    "ConfigError",
    "Key",
    "check_outside",
    "config_file",
    "defaults",
    "faults",
    "parse_config",
    "read_config",
    "to_toml",
]
