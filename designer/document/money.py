"""An amount of money in its currency. Amounts of different currencies never meet: nothing here converts."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

Currency = Literal["USD", "CNY", "JPY", "EUR", "GBP"]
"""Currencies that a price book or an entered price may be in (ISO 4217)."""

SYMBOLS: dict[Currency, str] = {"USD": "$", "CNY": "CN¥", "JPY": "¥", "EUR": "€", "GBP": "£"}
"""The same in every language, so that yuan and yen are told apart in each."""


@dataclass(frozen=True)
class Money:
    """So much of one currency: what a message parameter named `…_cost` or `unit_price` holds."""

    amount: Decimal
    currency: Currency
    is_modelled: bool = field(default=False, compare=False, repr=False)
    """It is what a model says, and shown in three significant digits; what is billed is shown to the cent."""

    def __str__(self) -> str:
        """With its sign, to the cent at least and as exactly as it is given."""
        places = -int(self.amount.normalize().as_tuple().exponent)
        sign = "-" if self.amount < 0 else ""
        return f"{sign}{SYMBOLS[self.currency]}{abs(self.amount):,.{min(max(2, places), 12)}f}"
