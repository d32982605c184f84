"""The trained networks, as files, and the tools that made them."""
