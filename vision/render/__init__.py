"""Scenes of playing cards, drawn with numpy and OpenCV: for the virtual table and for training.

>>> deck = make_deck(seed=7)
>>> stage = Stage(seed=7, deck=deck)
>>> picture = stage.draw([Placed(parse_card("10H"), x=0, y=0, angle=0.3)])
"""

from vision.render.deck import Deck, IndexPlace, make_deck
from vision.render.stage import Camera, Hand, IndexTruth, Placed, Stage

__all__ = ["Camera", "Deck", "Hand", "IndexPlace", "IndexTruth", "Placed", "Stage", "make_deck"]
