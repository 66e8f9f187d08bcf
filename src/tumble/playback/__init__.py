"""Playback: what bodies did, recorded while a world runs, as a page for the browser (viser) or an animated glTF.

    recorder = Recorder(world, every=2)
    for _ in range(400):
        world.step()
        recorder.note()
    save(recorder.recording("falling cows"), "cows.html")

viser is optional (`pip install "tumble[view]"`); glTF needs nothing.
"""

from tumble.playback.given import recording_of_poses
from tumble.playback.recording import Recorder, Recording
from tumble.playback.save import SUFFIXES, check_target, save

__all__ = ["SUFFIXES", "Recorder", "Recording", "check_target", "recording_of_poses", "save"]
