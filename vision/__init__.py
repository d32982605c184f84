"""From frames to what happened on the pile."""
