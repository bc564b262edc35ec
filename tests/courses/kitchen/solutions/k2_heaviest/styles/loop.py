def heaviest(scale, bowls):
    best, most = -1, float("-inf")
    for bowl in range(bowls):
        if (grams := scale(bowl)) > most:
            best, most = bowl, grams
    return best
