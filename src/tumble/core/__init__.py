"""What everything else stands on: compiling, threads, signals, limits."""
