"""The questions: one file each, with its record, its kernels and the function that makes the answer."""
