"""Protocol of an engine; the engine is its module, and there is no class to derive from."""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from designer.document import Spec
from designer.document.family import Family
from designer.document.key import Segment
from designer.document.money import Currency
from designer.document.table import RowKind, Table
from estimator.results import BytesByCause, UnknownReason

from .limits import EngineAssumption, EngineLimit, ServiceScale


class Engine(Protocol):
    """Members of an engine's module."""

    @property
    def LIMITS(self) -> Mapping[str, EngineLimit]:  # noqa: N802 - a module's constant stands here, too
        """Every limit by its name."""

    @property
    def UNCOLLECTED_DAYS_FOR_LIMITS(self) -> float:  # noqa: N802
        """Assumed storage time of expired cells where a limit is tested [day]."""

    @property
    def UNCOLLECTED_BYTES_MOST(self) -> float:  # noqa: N802
        """Assumed most bytes of expired cells in one row, until its tablet is compacted [bytes]."""

    @property
    def ASSUMPTIONS(self) -> Mapping[str, EngineAssumption]:  # noqa: N802
        """Every assumption of the engine's model by its name."""

    @property
    def SERVICE_SCALE(self) -> ServiceScale:  # noqa: N802
        """The largest known use of the engine, which no single design can exceed."""

    # --- sizes and collection

    @property
    def ROW_LIMITS(self) -> tuple[str, ...]:  # noqa: N802
        """Names of the limits of a row's size, the smaller one first."""

    @property
    def ADVISED_SIZE(self) -> str:  # noqa: N802
        """The name of the limit that what belongs together, in a row or partition-key value, should stay below."""

    @property
    def BLOCK_BYTES(self) -> float:  # noqa: N802
        """Maximum part of an unwanted column that a read passes over [bytes]."""

    @property
    def WHY_UNCOMPRESSED(self) -> str | None:  # noqa: N802
        """Reason why stored bytes are not compressed, as a message; None where they are."""

    @property
    def KEEPS_DELETE_MARKERS(self) -> bool:  # noqa: N802
        """True if deletions are stored until they are collected."""

    def as_stored(self, table: Table) -> Table:
        """Return the table with the collection that each family has on this engine."""

    def row_overhead_bytes(self, kind: RowKind, text_bytes: Callable[[Segment], float]) -> float:
        """Return the size of the data that a row stores once, besides its cells [bytes]."""

    def stored_cell(
        self, family: Family, *, key_bytes: float, qualifier_bytes: float, value_bytes: float
    ) -> BytesByCause:
        """Return the logical bytes of a stored cell."""

    def unsent_bytes(self, cell: BytesByCause) -> float:
        """Return the size of the data that is stored with a cell and not sent in a write [bytes]."""

    # --- work and capacity

    @property
    def READS_EITHER_WAY(self) -> bool:  # noqa: N802
        """A scan from the end of a range costs what a scan from its start costs, and callers use it for newest rows."""

    @property
    def ASSUMED_REGION(self) -> str:  # noqa: N802
        """Region of an instance that names none: the one whose prices are best known."""

    @property
    def HAS_NODES(self) -> bool:  # noqa: N802
        """True if an instance has paid nodes; else the service's partitions take the load."""

    def has_colder_tier(self, spec: Spec) -> bool:
        """Return whether older cells can move to infrequent access."""

    # --- money

    def book_currency(self, spec: Spec) -> Currency | None:
        """Return the currency that a design is billed in where it names no price book; None: any."""

    def unbilled_reasons(self, spec: Spec) -> Iterator[UnknownReason]:
        """Yield what of the instance is set and cannot be counted on, so that no bill has it."""
