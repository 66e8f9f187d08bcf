"""The page of a clash check: one HTML file with the findings as a table and the assembly in 3D, opened from disk.

    geometry   meshes as few bytes: shapes once, corners on a lattice of 16 bits
    rows       findings as HTML
    drawn      findings in the picture: triangles, curves, an arrow
    page       the file: page.html with the style, the data and the scripts in it

The scripts: unpack.js (bytes to arrays), algebra.js, draw.js (WebGL), camera.js, view.js (what a finding looks like),
table.js (sort, search, filter), main.js. WebGL directly, not a library: viser's client is steered by a server, which a
file on disk does not have, and weighs 2 MB; these scripts weigh 30 KB and leave the size to the meshes.
"""

from tumble.report.clash.page import Setting, as_html

__all__ = ["Setting", "as_html"]
