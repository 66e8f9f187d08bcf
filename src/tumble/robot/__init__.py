"""Robots: where their links are, and which of them touch."""

from tumble.robot.kinematics import FIXED, SLIDES, TURNS, Kinematics
from tumble.robot.robot import Robot
from tumble.robot.statistics import PairStatistics, SelfContacts

__all__ = ["FIXED", "SLIDES", "TURNS", "Kinematics", "PairStatistics", "Robot", "SelfContacts"]
