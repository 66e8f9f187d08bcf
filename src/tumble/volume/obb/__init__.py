"""Oriented boxes: turned to fit, tested on fifteen axes; two ways to choose the turn."""
