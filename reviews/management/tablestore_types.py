"""Values and errors in the types of Tablestore's client, and back."""

import struct
from types import TracebackType
from typing import Any

from designer.document.columnkey import ColumnForm
from reviews.trials.column_ranges import Infinity, KeyValue
from reviews.trials.sample import NUMBER_BYTES, TrialCell
from reviews.trials.trial import EngineError, EngineUnreachableError

NOT_OURS = ("OTSAuthFailed", "OTSNoPermissionAccess", "OTSInvalidAccessKeyId")
"""Codes of a service that does not let us in."""


class ClientErrors:
    """Turns errors of the client into those of a trial."""

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Raise the error of a trial in the place of the client's."""
        from tablestore import OTSClientError, OTSServiceError
        from urllib3.exceptions import HTTPError

        if isinstance(error, OTSServiceError):
            reason = f"{error.code}: {error.message}"[:300]
            raise (EngineUnreachableError if error.code in NOT_OURS else EngineError)(reason) from error
        if isinstance(error, HTTPError):
            raise EngineUnreachableError(str(error)[:300]) from error
        if isinstance(error, OTSClientError):
            is_from_server = error.http_status is not None
            raise (EngineUnreachableError if is_from_server else EngineError)(str(error)[:300]) from error


def key_value(value: KeyValue, column: ColumnForm) -> Any:
    """Return the value of a bound in the client's type."""
    from tablestore import INF_MAX, INF_MIN

    if isinstance(value, Infinity):
        return INF_MIN if value is Infinity.MIN else INF_MAX
    if isinstance(value, int):
        return value
    return value.decode() if column.type == "STRING" else bytearray(value)


def as_client(cell: TrialCell) -> Any:
    """Return the value of a cell in the client's type."""
    match cell.type:
        case "INTEGER":
            return int.from_bytes(cell.value, "big", signed=True)
        case "DOUBLE":
            return struct.unpack(">d", cell.value)[0]
        case "STRING":
            return cell.value.decode()
    return bytearray(cell.value)


def found_value(value: Any) -> bytes:
    """Return the bytes of a value that the client returns."""
    match value:
        case bool():
            return bytes([value])
        case int():
            return value.to_bytes(NUMBER_BYTES, "big", signed=True)
        case float():
            return struct.pack(">d", value)
        case str():
            return value.encode()
    return bytes(value)
