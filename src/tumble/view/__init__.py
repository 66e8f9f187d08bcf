"""A live view of an assembly in a browser on this machine.

state      what is where, what touches, undo; without viser, and tested on its own
newest     answers for the newest request only
viewer     what the user does, and what happens then
stage      what viser draws; frame, section
panel      the controls
server     viser and its server: on this machine only
findings   what `tumble check --json` found

`viewer` needs viser; the rest does not.
"""
