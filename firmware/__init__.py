"""The program on the device: command line, director, panel, and all that touches the world."""

__version__ = "0.1.0"
