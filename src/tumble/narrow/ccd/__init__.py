"""When do a vertex and a triangle, or two edges, meet whose points move linearly: conservatively, or exactly.

`corners` turns either question into one: when does a moving triangle or parallelogram contain the origin; `advance`
finds a time before which it does not, `crossing` proves in float64 that it does, `exact` decides in integers.
"""
