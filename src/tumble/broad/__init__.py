"""Which bodies may touch at all: pairs whose boxes overlap."""
