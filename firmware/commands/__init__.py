"""One module for each subcommand: ``add_parser(sub)`` and ``run(args) -> int``."""
