"""Two boxtrees against each other: four overlap tests that update only what a cut changes (paper `boxtree`)."""
