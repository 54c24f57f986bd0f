"""Control: tasks, transitions, value functions, training, and the methods that decide which motion to follow."""
