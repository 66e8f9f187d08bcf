"""The stack engine: the traversal of Section 3.2, with all its lists in one SRAM.

A *group* of tumbled nodes is compared with a list of aligned nodes. With 2 tumbled nodes at once a group is a sibling
pair, with 4 it is two pairs whose parents are siblings, and so on. Each group makes two new lists, one for the
children of the first half of its nodes and one for those of the second half:

                     aligned inner node               aligned leaf
    tumbled inner    its children go to the new list  it goes to the new list again
    tumbled leaf     its children are compared next   the two triangles are checked

The paper omits the mixed cases. A tumbled leaf keeps its place in the results register bank until it has met all that
is below the aligned node, so that no tumbled node is ever read or moved twice: those pairs wait on a small stack
of their own, `again`, and come before the rest of the list.

The new lists grow from both ends of the SRAM towards each other, the first half's from below and the second half's from
above. On a stack of frames wait the two groups that a group leaves behind, each with the bounds of its list, and the
return bit: which of the two is next. With one tumbled node at once, the two groups are its two children, one
after the other, and share one list.
"""

from collections import deque
from dataclasses import dataclass

from tumble.chip.channel import Ports, Unit
from tumble.chip.comparators import BOTH, EntryOverlaps, ListEntry, unpacked
from tumble.chip.design import Design
from tumble.chip.image import INNER
from tumble.chip.registers import unwritten
from tumble.chip.result import Journal
from tumble.errors import OptionError, TreeError

UNIT = "stack engine"

Group = list[tuple[int, int] | None]  # pairs of tumbled nodes: the address, and a bit for each sibling that takes part
END: Group = []  # there is no group left


@dataclass(slots=True)
class Frame:
    """What a group leaves behind: two groups and their lists."""

    groups: list[Group]
    lists: list[tuple[int, int, int]]  # which end of the SRAM, first place and one past the last
    bottoms: list[int]  # where the two ends of the SRAM were before
    turn: int = 0


class StackEngine(Unit):
    """Hands out entries and groups, and takes verdicts."""

    column = "lvl   left+run "

    def __init__(self, design: Design, most: tuple[int, int], ports: Ports, journal: Journal) -> None:
        self.design = design
        self.most_entries, self.most_lists = most
        """a node of a meets a group once, a node of b is in one group: nodes in the images"""
        self.ports, self.journal = ports, journal
        self.half = max(1, design.tumbled // 2)
        self.ends = 1 if design.tumbled == 1 else 2
        self.words: list[list[int]] = [[], []]
        self.tops = [0, 0]
        self.bottoms = [0, 0]
        self.writes: deque[tuple[int, int, int]] = deque()
        self.frames: list[Frame] = []
        self.again: list[ListEntry] = []
        self.waiting_pairs: deque[tuple[int, int]] = deque()
        self.current = (0, 0, 0)  # the list: which end of the SRAM, the next place and one past the last
        self.ahead: ListEntry | None = None
        """the next entry of the list, when it has been read but there is no room for what may come of it"""
        self.outstanding: deque[int] = deque()  # for each entry under way, how many leaf pairs may come of it
        self.pointers = [0] * design.tumbled
        self.leaves = self.inner = self.descend = 0  # tumbled nodes, a bit each; descend: has children to go down to
        self.working = self.climbing = False
        self.lists = 0
        self.most_words = 0
        """entries that lay in the SRAM at once, at most"""
        self.entries_handed_out = 0
        self.leaf_pairs_found = 0
        self._begin_with_roots()

    def _begin_with_roots(self) -> None:
        """Let the first list be the root of a, and the first group the root of b."""
        self._append(0, ListEntry(0, 1, 1))
        self.frames.append(Frame([[(0, 1)], []], [(0, 0, 1), (0, 0, 0)], [0, 0]))
        self.climbing = True

    def tick(self, now: int) -> None:
        """Do a cycle: learn about tumbled nodes, take a verdict, use the SRAM once, move on when the list is done."""
        self.shown = ""
        if self.ports.nodes.valid:
            self._learn(*self.ports.nodes.take())
        if self.ports.verdicts.valid:
            self._sort(self.ports.verdicts.take())
        if self.working and not self.outstanding and not self.again and self.current[1] == self.current[2]:
            self._leave_behind()
        if self.climbing and self.ports.groups.ready:
            self._climb()
        self._use_sram(now)
        if self.waiting_pairs and self.ports.leaf_pairs.ready:
            self.ports.leaf_pairs.put(self.waiting_pairs.popleft())

    def _learn(self, node: int, pointer: int, is_leaf: bool) -> None:
        self.pointers[node] = pointer
        if is_leaf:
            self.leaves |= 1 << node
        else:
            self.inner |= 1 << node

    # lists --------------------------------------------------------------------------------------------------------

    def _sort(self, verdict: EntryOverlaps) -> None:
        """Put what overlaps where it belongs: see the table above."""
        self.outstanding.popleft()
        kept = [0] * self.ends  # aligned leaves that go to each new list again
        kept_for = [0] * self.ends
        for side, node, overlaps in verdict.compared:
            if not overlaps:
                continue
            if unknown := overlaps & ~(self.leaves | self.inner):
                raise unwritten(UNIT, f"pointer {unknown.bit_length() - 1} of the tumbled nodes")
            self.descend |= overlaps & self.inner
            for end in range(self.ends):
                below = self._children(overlaps, end)
                if below and node.flags == INNER:
                    self._append(end, ListEntry(node.pointer, BOTH, below))
                elif below:
                    kept[end] |= 1 << side
                    kept_for[end] |= below
            met = overlaps & self.leaves
            if node.flags != INNER:
                self._pair(node.pointer, met)
            elif met:
                self._repeat(ListEntry(node.pointer, BOTH, met))
        for end in range(self.ends):
            if kept[end]:
                self._append(end, ListEntry(verdict.entry.address, kept[end], kept_for[end]))

    def _children(self, overlaps: int, end: int) -> int:
        """Return which nodes of the group that comes of one half are children of the overlapping inner nodes."""
        chosen = (overlaps & self.inner) >> end * self.half
        if self.design.tumbled == 1:
            return chosen
        children = 0
        for q in range(self.half):
            if chosen >> q & 1:
                children |= BOTH << 2 * q
        return children

    def _append(self, end: int, entry: ListEntry) -> None:
        if self.tops[0] + self.tops[1] >= self.design.sram_words:
            raise OptionError(
                f"the lists need more than the {self.design.sram_words} words of the SRAM; "
                f"use Design(sram_words={2 * self.design.sram_words})"
            )
        self.writes.append((end, self.tops[end], entry.packed()))
        self.tops[end] += 1
        self.most_words = max(self.most_words, sum(self.tops))

    def _repeat(self, entry: ListEntry) -> None:
        if len(self.again) >= 2 * self.design.levels:
            raise TreeError(f"the image of a is deeper than the {self.design.levels} levels of the stack engine")
        self.again.append(entry)

    def _pair(self, record: int, leaves: int) -> None:
        for node in range(self.design.tumbled):
            if leaves >> node & 1:
                self.waiting_pairs.append((record, self.pointers[node]))
                self.leaf_pairs_found += 1

    # the SRAM -----------------------------------------------------------------------------------------------------

    def _use_sram(self, now: int) -> None:
        """Write a word, or hand out the next entry."""
        if self.writes:
            end, place, word = self.writes.popleft()
            words = self.words[end]
            if place == len(words):
                words.append(word)
            else:
                words[place] = word
            self.shown = "w"
            self.journal.work(UNIT, now, now + 1, "write")
        elif self.working and self.ports.entries.ready:
            self._hand_out(now)

    def _hand_out(self, now: int) -> None:
        end, place, stop = self.current
        if self.again:
            entry = self.again[-1]
        elif self.ahead is not None:
            entry = self.ahead
        elif place < stop:
            entry = self.ahead = unpacked(self.words[end][place])
            self.journal.work(UNIT, now, now + 1, "read")
        else:
            return
        # there must be room for all leaf pairs that may come of it, or the chip might stand still for ever
        possible = entry.lines * (entry.tumbled & ~self.inner).bit_count()
        queued = len(self.ports.leaf_pairs) + len(self.waiting_pairs) + sum(self.outstanding)
        if queued + possible > self.design.triangle_queue or (possible and self._may_overflow()):
            return
        if self.again:
            self.again.pop()
        else:
            self.current = end, place + 1, stop
            self.ahead = None
        self.entries_handed_out += 1
        if self.entries_handed_out > self.most_entries:
            raise TreeError(f"a list has more than {self.most_entries} entries: the image of a runs in a circle")
        self.outstanding.append(possible)
        self.ports.entries.put(entry)
        self.shown = "r"

    def _may_overflow(self) -> bool:
        """Tell whether an entry of a tumbled leaf must wait for those under way, which leave up to two pairs each.

        Entries that go one by one leave one pair per level at most: half of the stack of pairs is kept for them.
        """
        under_way = sum(possible > 0 for possible in self.outstanding)
        return under_way > 0 and len(self.again) + 2 * (under_way + 1) > self.design.levels

    # groups -------------------------------------------------------------------------------------------------------

    def _leave_behind(self) -> None:
        """The list is done: put a frame on the stack for the two groups of children."""
        self.working, self.climbing = False, True
        if not self.descend:
            return
        if len(self.frames) >= self.design.levels:
            raise OptionError(
                f"the traversal is deeper than the {self.design.levels} levels of the stack engine; "
                f"use Design(levels={2 * self.design.levels})"
            )
        lists = [(end, self.bottoms[end], self.tops[end]) for end in (0, 1)]
        if self.design.tumbled == 1:
            pointer = self.pointers[0]
            self.frames.append(Frame([[(pointer, 1)], [(pointer, 2)]], [lists[0], lists[0]], self.bottoms))
            return
        halves: list[Group] = []
        for end in (0, 1):
            nodes = range(end * self.half, (end + 1) * self.half)
            halves.append([(self.pointers[node], BOTH) if self.descend >> node & 1 else None for node in nodes])
        self.frames.append(Frame(halves, lists, self.bottoms))

    def _climb(self) -> None:
        """Look at the top frame: begin with one of its groups, or drop it."""
        if not self.frames:
            self.ports.groups.put(END)
            self.climbing = False
            return
        frame = self.frames[-1]
        if frame.turn == 2:
            self.tops = list(frame.bottoms)
            self.frames.pop()
            return
        end, start, stop = frame.lists[frame.turn]
        group = frame.groups[frame.turn]
        frame.turn += 1
        if start == stop:
            return
        self._begin(group, (end, start, stop))

    def _begin(self, group: Group, bounds: tuple[int, int, int]) -> None:
        self.ports.groups.put(group)
        self.current = bounds
        self.bottoms = list(self.tops)
        self.leaves = self.inner = self.descend = 0
        self.working, self.climbing = True, False
        self.entries_handed_out = 0
        self.lists += 1
        if self.lists > self.most_lists:
            raise TreeError(f"there are more than {self.most_lists} lists: the image of b runs in a circle")

    def line_trace(self) -> str:
        """Return the level, the entries left in the list, those under way, and what the SRAM does."""
        left = self.current[2] - self.current[1] + len(self.again)
        return f"{len(self.frames):3} {left:6}+{len(self.outstanding):2} {self.shown:1}"
