"""`python -m tumble` is `tumble`."""

from tumble.cli import main

if __name__ == "__main__":
    main()
