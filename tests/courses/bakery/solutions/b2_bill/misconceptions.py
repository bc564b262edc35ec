"""Wrong bills, step by step."""

from b1_dough import dough

from autograder.course import assembled, misconception


@assembled(without=("changes-flour",))  # prices multiply a new array, so nothing of the caller's is changed
def bill(amounts, loaves, prices):
    return taxed(discounted(priced(dough(amounts, loaves), prices)))


def priced(needed, prices):
    return needed * prices


def discounted(cost):
    return cost * 0.9


def taxed(cost):
    return cost * 1.2


@misconception("first-price-only")
def priced(needed, prices):
    """Every amount is paid at the price of the first one."""
    return needed * prices[0]


@misconception("prices-divide", alone=True)
def priced(needed, prices):
    """Dearer flour makes your bill smaller: multiply by the price."""
    return needed / prices


@misconception("discount-forgotten")
def discounted(cost):
    """The discount for regulars is missing."""
    return cost


@misconception("tax-forgotten")
def taxed(cost):
    """The tax is missing."""
    return cost


@misconception("tax-twice")
def taxed(cost):
    """The tax is there twice."""
    return cost * 1.2 * 1.2


@misconception("rates-forgotten")
def bill(amounts, loaves, prices):
    """Both rates are missing: this is what the dough costs you, not your customers."""
    return priced(dough(amounts, loaves), prices)
