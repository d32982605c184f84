"""The rules of Idiot as pure functions over frozen values: no clock, no randomness of its own."""
