"""What is said of the pyramid patience, from the same catalogues as everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import Card
from engine.pyramid.events import Flip, King, Match, Reset
from engine.say import filled, words

if TYPE_CHECKING:
    from engine.pyramid.game import Ruling


def sentence(ruling: Ruling, language: str = "en") -> str:
    """The whole ruling in words."""
    return " ".join(spoken(ruling, language))


def spoken(ruling: Ruling, language: str = "en") -> list[str]:
    """The ruling as sentences, the most important first where one is enough."""
    catalogue = words(language)
    names = [catalogue["one"][card.rank.code] for card in _cards(ruling)]
    parts = {
        "cards": catalogue["list"]["and"].join(names),
        "card": names[0] if names else "",
        "moves": str(ruling.game.moves),
    }
    if ruling.reason is not None:
        return [filled(catalogue, "pyramid_refusals", ruling.reason.value, parts)]
    keys = [_key(ruling)]
    if ruling.game.won:
        keys.append("won")
    elif ruling.news_of_death:
        keys.append("dead")
    return [filled(catalogue, "pyramid", key, parts) for key in keys]


def _key(ruling: Ruling) -> str:
    event = ruling.event
    if isinstance(event, Match):
        return "match"
    if isinstance(event, King):
        return "king"
    if isinstance(event, Flip):
        return "flip"
    return "reset" if isinstance(event, Reset) else "undo"


def _cards(ruling: Ruling) -> tuple[Card, ...]:
    """The cards that the event names; of a flip without one, what it turned up."""
    event = ruling.event
    if isinstance(event, Flip):
        if event.card is not None:
            return (event.card,)
        game = ruling.game
        return (game.deal.in_stock[game.position.waste_top],) if ruling.stands else ()
    return event.cards if isinstance(event, (Match, King)) else ()
