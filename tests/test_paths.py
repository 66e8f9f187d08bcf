"""Functions that take paths take nothing else: a number would be a file descriptor, which they would read and close."""

import os
from pathlib import Path

import pytest

import tumble
from public_calls import crane
from tumble.dynamics import World
from tumble.errors import OptionError
from tumble.mesh import shapes
from tumble.playback import Recorder, check_target, save
from tumble.robot import Robot

BOX = shapes.box()


class BytesPath:
    """A path of bytes, which Python's functions take and pathlib does not."""

    def __fspath__(self):
        return b"part.stl"


def recorded(path):
    world = World()
    world.add_body(BOX)
    return save(Recorder(world).recording("a box"), path)


CALLS = {
    "load": tumble.load,
    "load_parts": tumble.load_parts,
    "load_parts, one of several": lambda path: tumble.load_parts([path]),
    "load_assembly": tumble.load_assembly,
    "load_assembly, folders": lambda path: tumble.load_assembly("a.stl", folders=[path]),
    "load_tree": tumble.load_tree,
    "Robot.load": Robot.load,
    "Robot.load, package_dirs": lambda path: Robot.load("arm.urdf", package_dirs=[path]),
    "Robot.save_srdf": crane().save_srdf,
    "Tree.save": tumble.build(BOX).save,
    "BoxTree.save": tumble.build(BOX, "boxtree").save,
    "playback.check_target": check_target,
    "playback.save": recorded,
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "wrong", [0, True, 1.5, None, b"part.stl", BytesPath(), object()], ids=lambda wrong: type(wrong).__name__
)
def test_what_is_no_path_is_refused(call, wrong):
    with pytest.raises(OptionError, match="path"):
        CALLS[call](wrong)


@pytest.mark.parametrize("call", CALLS)
def test_file_descriptors_stay_open(call, tmp_path):
    with (tmp_path / "file").open("w+b") as file:
        with pytest.raises(OptionError, match="path"):
            CALLS[call](file.fileno())
        os.fstat(file.fileno())  # raises when it is closed
        with pytest.raises(OptionError, match="path"):
            CALLS[call](file)
        assert not file.closed


@pytest.mark.parametrize("kind", [str, Path])
def test_text_and_paths_are_taken(kind, tmp_path):
    tumble.build(BOX).save(kind(tmp_path / "tree"))
    assert len(tumble.load_tree(kind(tmp_path / "tree"))) == len(tumble.build(BOX))
