"""The night: who played, who lost, and what the score says, folded from the journal."""
