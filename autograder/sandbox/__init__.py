"""The only rooms that touch learner code: a zygote forks workers, and answers come back over a pipe as plain data."""
