"""One reader per file format: OBJ, STL and OFF are read here, strictly; every other format through trimesh.

A reader takes a path and whether to split the file into its parts, and returns a list of Part. It raises
ValueError (or what trimesh raises) on anything odd; `tumble.mesh.files` turns that into a FileError with the
path.
"""
