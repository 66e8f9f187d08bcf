"""The unit of length that a file states stays with its parts, up to `tumble check --json`."""

import copy
import json
import pickle

from tumble.clash.check import Checked
from tumble.cli.check_verdict import CheckVerdict
from tumble.mesh import Part, shapes

BOX = shapes.box()


def verdict(*units):
    parts = [Part(f"part {k}", BOX, each) for k, each in enumerate(units)]
    return CheckVerdict(["a.3mf"], Checked(parts, []))


def test_a_part_is_a_pair_that_has_units():
    part = Part("lid", BOX, "mm")
    name, mesh = part
    assert (name, mesh, part.units) == ("lid", BOX, "mm")
    assert Part("lid", BOX).units is None
    assert (part._replace(name="base").name, part._replace(name="base").units) == ("base", "mm")
    assert copy.copy(part).units == copy.deepcopy(part).units == pickle.loads(pickle.dumps(part)).units == "mm"
    assert "units='mm'" in repr(part)
    assert Part._make(("lid", BOX)).units is None


def test_json_names_the_units_of_every_part():
    assert [part["units"] for part in json.loads(verdict("mm", None).as_json())["parts"]] == ["mm", None]
