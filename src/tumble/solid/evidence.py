"""What is known of two solids, and which relation follows.

Mathematics. The surface S_A of a closed mesh divides space into cells, on each of which its winding number is constant.
I_A, the interior, is the union of those where it is not zero (`body`), and the solid is A = I_A ∪ S_A, a closed set; B
alike. Both surfaces together divide space into finer cells, each either in I_A or not, and in I_B or not. With [ab] for
"there is a cell with these two memberships", where points of a surface count for its own solid:

    [11]  the interiors meet         [10]  A is not a subset of B         [01]  B is not a subset of A

    [11] [10] [01]
      1    1    1    crossing
      1    0    1    a_inside_b
      1    1    0    b_inside_a
      1    0    0    equal
      0    .    .    touching if the surfaces share a point, else apart (equal if two meshes without volume agree)

How [11], [10], [01] are found. Take a cell of one kind, such as a component R of I_A ∩ I_B. Its boundary consists of
pieces of surface, and one of these is

 1. a piece of S_A off S_B, where B's membership is constant: it is `in` or `out` of B;
 2. a piece of S_B off S_A, alike;
 3. a piece of both surfaces.

Pieces of the third kind, and all others that end in a segment of S_A ∩ S_B, lie next to a line around which `strata`
and `fans` look: there the memberships of all sectors are known, and which half-planes of S_A are in or out of B. A
piece of S_A that ends in no such segment meets S_B in single points at most. Then it consists of whole triangles, goes
on across every edge, and is a whole component of the mesh; single points do not divide it, so one point of it that is
off S_B decides. Hence, complete:

    [11]  a sector (1, 1), or a piece of one surface in the other solid
    [10]  a sector (1, 0), or a piece of S_A out of B, or a void of B in A: a piece of S_B in A, one side of it not in B
    [01]  likewise

Only voids need more: pieces of S_B in A, next to no line, of which one side is not B. In a mesh that does not cross
itself the winding number is the same along each side of a patch, connected by edges of two faces. Elsewhere it may
change where B crosses itself, and fans around those lines tell. That is looked at only where nothing else shows [10].

Surfaces. A mesh that is open, or of which only the surface is meant, has no interior: I_A is empty and A = S_A. All of
the above holds for it, as for the same faces with their backs added, which bound no volume. What it meets from within,
a piece of S_A in I_B, has volume about it that A does not have: [01]. Two such surfaces are never [11]. They cross, by
definition, where around a segment of both one has half-planes, off the other, on two sides of the other.
"""

from dataclasses import dataclass, field
from enum import Enum

AB = tuple[bool, bool]


class Relation(str, Enum):
    """How two solids lie to each other."""

    APART = "apart"
    """they share no point"""
    TOUCHING = "touching"
    """their surfaces meet, their interiors do not"""
    CROSSING = "crossing"
    """their interiors meet, and each has points outside of the other"""
    A_INSIDE_B = "a_inside_b"
    """every point of a is one of b: on the surface of b counts, too"""
    B_INSIDE_A = "b_inside_a"
    EQUAL = "equal"
    """they are the same set of points"""

    @property
    def mirrored(self) -> "Relation":
        """The relation of b to a."""
        return _MIRRORED.get(self, self)

    def __str__(self) -> str:
        return str(self.value)


_MIRRORED = {Relation.A_INSIDE_B: Relation.B_INSIDE_A, Relation.B_INSIDE_A: Relation.A_INSIDE_B}


@dataclass(eq=False)
class Evidence:
    """What has been found so far; nothing of it is ever taken back."""

    sectors: set[AB] = field(default_factory=set)
    """memberships of cells"""
    surfaces: tuple[set[bool], set[bool]] = field(default_factory=lambda: (set(), set()))
    """whether pieces of the surface of a are in b, and of that of b in a"""
    solid: AB = (True, True)
    """whether a and b are more than their surfaces"""
    pierced: bool = False
    """whether two surfaces cross, neither of which has an inside"""

    @property
    def meet(self) -> bool:
        """[11]"""
        return (True, True) in self.sectors or True in self.surfaces[0] or True in self.surfaces[1]

    def outside(self, side: int) -> bool:
        """[10] for side 0, [01] for side 1: part of a solid is outside of the other."""
        if (side == 0, side == 1) in self.sectors or False in self.surfaces[side]:
            return True
        return self.meet and not self.solid[1 - side]

    @property
    def crossing(self) -> bool:
        """Whether no more can be learnt."""
        return self.pierced or (self.meet and self.outside(0) and self.outside(1))

    def relation(self, touching: bool) -> Relation:
        """Return the relation when everything has been looked at; `touching`: the surfaces share a point."""
        if self.pierced:
            return Relation.CROSSING
        out_a, out_b = self.outside(0), self.outside(1)
        if not out_a and not out_b:
            return Relation.EQUAL
        if not self.meet:
            return Relation.TOUCHING if touching else Relation.APART
        if out_a:
            return Relation.CROSSING if out_b else Relation.B_INSIDE_A
        return Relation.A_INSIDE_B


class Undecided(Exception):
    """The surfaces of two bodies meet along more lines than were to be looked at."""


@dataclass
class Effort:
    """How many lines along which surfaces meet may be looked at: for each pair of bodies, and for all that are left."""

    each: int
    left: int
