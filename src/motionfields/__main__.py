"""`python -m motionfields`: the command line."""

from motionfields.cli import main

if __name__ == "__main__":
    main()
