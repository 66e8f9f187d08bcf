"""Registers have valid bits: what is read before it is written is an error that names unit and register."""

import pytest
from chip_cases import POSE, run_to_the_end, started

import forest
from tumble.chip import Design
from tumble.chip.channel import Clock, Ports
from tumble.chip.comparators import Comparators, ListEntry
from tumble.chip.registers import DopRegisterFile, MatrixRegisterFile, ResultsRegisterBank
from tumble.chip.result import Journal
from tumble.errors import ChipError

LINE = (1.0, 2.0, 3.0, 4.0)


def test_a_number_can_be_read_in_the_cycle_after_it_is_written():
    clock = Clock()
    registers = DopRegisterFile(clock, 6)
    registers.write(2, 7.0)
    with pytest.raises(ChipError, match="DOTADD reads d2 of the DOP registers, which is not written"):
        registers.read_all("DOTADD", [2])
    clock.tick()
    assert registers.read_all("DOTADD", [2]) == [7.0]
    with pytest.raises(ChipError, match="d3"):
        registers.read_all("DOTADD", [2, 3])


def test_a_new_dop_clears_the_registers_but_not_what_is_written_with_it():
    clock = Clock()
    registers = DopRegisterFile(clock, 6)
    registers.write(0, 1.0)
    registers.write(1, 2.0)
    clock.tick()
    registers.clear()
    registers.write(0, 3.0)
    assert registers.read_all("DOTADD", [0, 1]) == [1.0, 2.0]
    clock.tick()
    assert registers.read_all("DOTADD", [0]) == [3.0]
    with pytest.raises(ChipError, match="d1"):
        registers.read_all("DOTADD", [1])


def test_lines_of_a_leaf_are_written_anew_for_each_triangle():
    clock = Clock()
    registers = MatrixRegisterFile(clock, [LINE])
    assert registers.read("DOTADD", 0) == LINE
    with pytest.raises(ChipError, match="DOTADD reads line 1 of the matrix register file"):
        registers.read("DOTADD", 1)
    registers.write(1, LINE)
    clock.tick()
    assert registers.read("DOTADD", 1) == LINE
    registers.clear([1])
    clock.tick()
    with pytest.raises(ChipError, match="line 1"):
        registers.read("DOTADD", 1)


def results_with_one_node(clock, k=6):
    results = ResultsRegisterBank(clock, 2, k)
    results.expect([0, 1])
    clock.tick()
    for place in range(k):
        results.write(0, place, 1.0)
    clock.tick()
    return results


def test_results_are_complete_when_every_number_is_written():
    clock = Clock()
    results = results_with_one_node(clock)
    assert results.read("comparators", 0) == [1.0] * 6
    assert not results.complete
    for place in (0, 1, 1, 2, 3, 4):  # a number that is written twice does not stand for another
        results.write(1, place, 2.0)
    clock.tick()
    assert not results.complete
    with pytest.raises(ChipError, match="comparators reads number 5 of node 1 in the results register bank"):
        results.read("comparators", 1)
    results.write(1, 5, 2.0)
    clock.tick()
    assert results.complete


def test_an_empty_node_is_not_waited_for_and_has_no_dop():
    clock = Clock()
    results = results_with_one_node(clock)
    results.without_dop(1, bare=False)
    clock.tick()
    assert results.complete
    assert results.read("comparators", 1) is None


def test_a_group_forgets_the_one_before():
    clock = Clock()
    results = results_with_one_node(clock)
    with pytest.raises(ChipError, match="a group begins before"):
        results.expect([0])
    results.without_dop(1, bare=False)
    clock.tick()
    results.expect([1])
    clock.tick()
    for node in (0, 1):
        with pytest.raises(ChipError, match=f"node {node}"):
            results.read("comparators", node)


def test_a_node_that_is_not_whole_is_not_compared():
    clock = Clock()
    ports = Ports(clock)
    comparators = Comparators(Design(k=6), ResultsRegisterBank(clock, 2, 6), ports, Journal())
    ports.words.put((ListEntry(0, 1, 1), 0, bytes(64), True, True))
    clock.tick()
    comparators.tick(0)
    with pytest.raises(ChipError, match="comparators: 64 bytes in the e registers, a node has 128"):
        comparators.tick(1)


@pytest.mark.parametrize("tumbled", [1, 2, 8])
def test_a_verdict_on_a_node_that_the_stack_engine_does_not_know(tumbled):
    machine = started(forest.soup(1, 10), forest.soup(2, 10), None, POSE, Design(tumbled=tumbled))
    machine.stack._learn = lambda *node: None
    with pytest.raises(ChipError, match="stack engine reads pointer 0 of the tumbled nodes, which is not written"):
        run_to_the_end(machine)
