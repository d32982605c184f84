"""From the settings to the device: which parts there are, and what they stand on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.cards import Card
from engine.errors import PilewatchError, RulesError
from engine.rules import find_rules
from engine.setup import Setup
from firmware.clock import now
from firmware.config import Config
from firmware.decks import learned_deck, taught_by_answers
from firmware.device.appliance import Appliance
from firmware.device.calls import is_quiet
from firmware.device.crew import Crew
from firmware.device.display import Display, open_oled
from firmware.device.gpio import Contacts, make_buzzer, make_led
from firmware.device.lamps import Lamps
from firmware.device.notify import Notifier
from firmware.device.playing import Watches, WatchFor
from firmware.device.presses import Edge
from firmware.device.service import Report
from firmware.device.sight import Blind, Camera, Sight, VirtualSight
from firmware.device.voice import Buzzer, Speech
from firmware.night.book import Book, book_at
from firmware.sources import NONE, is_virtual, seed_of

if TYPE_CHECKING:
    from vision.sources import FrameSource

log = logging.getLogger("pilewatch")

Clock = Callable[[], float]


def build(config: Config, clock: Clock, notifier: Notifier) -> Appliance:
    """The appliance of these settings, its parts not yet at work.

    What the settings name and is not there is told on the panel, and done without.
    """
    troubles: list[Report] = []
    config = with_rules(config, troubles.append)
    sight, camera = build_sight(config, clock)
    crew = Crew(camera=camera)
    later: list[Appliance] = []

    def put(edge: Edge) -> None:
        for appliance in later:
            appliance.put(edge)

    def wake() -> None:
        for appliance in later:
            appliance.wake()

    if config["panel.driver"] != "none":
        crew.display = Display(config, lambda: open_oled(config))
    if any((config["lamps.green"], config["lamps.red"], *config["lamps.seats"])):
        crew.lamps = Lamps(config, make_led)
    if any(config[f"buttons.{name}"] for name in ("pickup", "next", "oops")):
        crew.contacts = Contacts(config, put, clock)
    crew.voice = build_voice(config)
    if camera is not None:
        camera.wake = wake
    watch_for = watchers(config, troubles.append)

    def book() -> Book:
        return book_at(str(config["camera.source"]))

    appliance = Appliance(config, crew, sight, watch_for, book, clock, notifier)
    for trouble in troubles:
        appliance.report(trouble)
    later.append(appliance)
    return appliance


def with_rules(config: Config, report: Callable[[Report], None]) -> Config:
    """The settings, the default in place of rules that cannot be read.

    A game that is under way has its rules in the journal.
    """
    try:
        find_rules(config["game.rules"])
    except RulesError as wrong:
        instead = config.without("game.rules")
        log.warning("pilewatch: %s; %s is offered instead", wrong, instead["game.rules"])
        report(Report("rules", str(wrong)))
        return instead
    return config


def build_voice(config: Config) -> Speech | Buzzer | None:
    """What is heard; None where nothing is to be."""

    def quiet() -> bool:
        at = now()
        return at is not None and is_quiet(config["voice.quiet"], at.time())

    if config["voice.kind"] == "speech":
        return Speech(config, quiet)
    if config["voice.kind"] == "buzzer" and config["voice.buzzer"]:
        return Buzzer(config, make_buzzer, quiet)
    return None


def build_sight(config: Config, clock: Clock) -> tuple[Sight, Camera | None]:
    """Where frames come from, and the part that brings them, if it is one.

    PilewatchError where the settings name what cannot be a source.
    """
    from firmware.virtual import VirtualTable

    spec = str(config["camera.source"])
    if spec == NONE:
        return Blind(), None
    if is_virtual(spec):
        return VirtualSight(seed_of(spec), VirtualTable), None
    camera = Camera(config, lambda: open_camera(config), clock)
    return camera, camera


def open_camera(config: Config) -> FrameSource:
    """The camera of the settings; SourceError if it cannot be had."""
    from vision.picamera import CameraSettings, open_pi_camera
    from vision.sources import open_source

    spec, fps = str(config["camera.source"]), float(config["camera.fps"])
    if spec != "camera":
        return open_source(spec, fps)
    settings = CameraSettings(
        fps=fps, lens_position=config["camera.lens"], mains_hz=config["camera.mains"]
    )
    return open_pi_camera(fps, settings)


def watchers(config: Config, report: Callable[[Report], None] = lambda report: None) -> WatchFor:
    """Makes a watcher for each game; the networks are loaded once.

    A deck that is not there, of an earlier version or damaged is told and left out: the cards are
    read as if nobody had shown them.
    """
    from vision.look import Looker
    from vision.watcher import Watcher

    name, looker = str(config["game.deck"]), Looker.load()
    taught = None
    if name:
        try:
            looker.reader.deck = learned_deck(name).made_for(looker.reader.mark)
            taught = taught_by_answers(looker, name)
        except PilewatchError as wrong:
            log.warning("pilewatch: %s; the game goes on without it", wrong)
            report(Report("deck", str(wrong)))

    def watch_for(setup: Setup, prior: Callable[[Card], float]) -> Watches:
        looker.reader.jokers = setup.rules.jokers > 0
        return Watcher(looker, prior, setup.decks, taught)

    return watch_for
