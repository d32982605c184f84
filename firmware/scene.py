"""From the state of the game to the screen that says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import Card
from engine.events import Amend, PickUp, Play
from engine.pile import HIGHEST, Pile
from engine.ruling import Ruling
from engine.table import Table
from firmware.panel import (
    Burned,
    Over,
    Refused,
    Screen,
    TakesPile,
    Turn,
    TurnCard,
    Which,
    YesNo,
)
from firmware.words import say

if TYPE_CHECKING:
    from firmware.desk import Desk


def of(desk: Desk) -> Screen:
    """The screen for the moment: what is asked, what is wrong, what is owed, whose turn it is."""
    table = desk.game.table
    turn = desk.turn or ""
    if desk.menu:
        return YesNo(desk.menu[desk.line].label, say("panel.choose"), say("panel.choose_other"))
    if desk.mismatch is not None:
        return YesNo(mismatch(desk.mismatch), say("panel.as_seen"), say("panel.as_kept"))
    if desk.questions:
        candidates = desk.questions[0].candidates
        return Which(candidates, desk.choice, say("panel.which"), say("panel.which_hint"))
    refused = desk.refused
    if refused and refused.doubt:
        both = (refused.doubt[-1], refused.cards[-1])
        return Which(both, 0, say("panel.impossible"), say("panel.impossible_hint"))
    if desk.gone and desk.gone.asked:
        return YesNo(say("panel.picked_up", name=turn), say("panel.yes"), say("panel.no"))
    if refused:
        return refusal(refused.player, refused.cards, refused.ruling, say("panel.refused_hint"))
    if table.over:
        loser = table.name(table.loser)
        return Over(loser, table.name(table.out[0]) if table.out else None)
    if desk.owed and desk.owed.burn:
        return Burned(turn, turn == desk.owed.player, desk.owed.removed)
    if desk.must_turn_card:
        return TurnCard(desk.setup.players[desk.setup.dealer])
    if desk.must_pick_up:
        return TakesPile(turn, _last(desk), table.top)
    pile = table.pile
    return Turn(
        turn,
        table.top,
        count=max(pile.run, 1) if pile else 0,
        owed=_owed(pile, begins=not _last(desk)),
        last=_last(desk),
        pile=pile.size if pile else 0,
        stock=table.stock,
        hand=_left(table),
    )


def _left(table: Table) -> int:
    """How many cards the player in turn has in the zone that is played from."""
    seat = table.seats[table.turn]
    return seat.hand or seat.up or seat.down


def mismatch(seen: tuple[Card, ...]) -> str:
    """The question whether the pile is what was seen, not what the journal says."""
    if not seen:
        return say("ask.mismatch_empty")
    return say("ask.mismatch", card=seen[-1].rank.code, count=len(seen))


def refusal(player: str | None, cards: tuple[Card, ...], ruling: Ruling, hint: str = "") -> Refused:
    """The screen for a play that does not stand."""
    reason = say(f"reason.{ruling.why}") if ruling.why else ruling.say
    return Refused(player or "", cards, reason, hint)


def _owed(pile: Pile | None, begins: bool) -> str:
    if begins:
        return say("panel.begins")
    if pile is None or (pile.low == 0 and pile.high == HIGHEST):
        return say("panel.free")
    if pile.high < HIGHEST:
        return say("panel.bound", rank=pile.high)
    return say("panel.beat")


def _last(desk: Desk) -> str:
    called = desk.last
    if called is None or called.player is None:
        return ""
    event = called.event
    if isinstance(event, Amend):
        event = event.event
    if isinstance(event, Play):
        return say("panel.last", name=called.player, cards=counted(event.cards))
    if isinstance(event, PickUp):
        return say("panel.last_pickup", name=called.player, count=called.pile)
    return ""


def counted(cards: tuple[Card, ...]) -> str:
    """Cards of one rank as ``7 ×3``, others one by one."""
    ranks = [card.rank for card in cards]
    if len(set(ranks)) == 1:
        return ranks[0].code + (f" ×{len(ranks)}" if len(ranks) > 1 else "")
    return " ".join(rank.code for rank in ranks)
