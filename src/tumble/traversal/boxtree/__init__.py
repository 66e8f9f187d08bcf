"""Two boxtrees against each other: four overlap tests that only look at what a cut changes (paper `boxtree`)."""
