def bill(amounts, loaves, prices):
    cost = prices * amounts
    cost = cost * loaves
    return (cost - cost / 10) * 6 / 5
