"""Gives the learner a scale whose weights lie with the grader."""


def drive(learner, inputs, ask):
    return {"result": learner["heaviest"](lambda bowl: ask("weigh", bowl), inputs["bowls"])}
