"""Exceptions with the fields of the library's error record.

Every error of the library is a `HeddleError`; each is also the built-in exception that Python users expect
(`ValueError` for bad arguments, `MemoryError`, `OSError`, `KeyError` for a vertex that does not exist).
"""
from __future__ import annotations

import errno
import os


class HeddleError(Exception):
    """An error that the library reported.

    status: the name of the C status, "HEDDLE_E_FORMAT"; code: its number.
    file, line, column, token, expected: where the input was wrong and what was expected; empty or 0 if that does not
    apply.
    """
    status: str = "HEDDLE_E_INTERNAL"
    code: int = -1
    message: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    token: str = ""
    expected: str = ""

    def __str__(self) -> str:  # KeyError would quote its argument
        return str(self.args[0]) if self.args else self.status


class ArgumentError(HeddleError, ValueError):
    """An argument out of its range, or of the wrong kind."""


class VertexError(ArgumentError, KeyError):
    """No vertex has this id."""


class RefusedError(ArgumentError):
    """The plan, program or graph would give wrong values, or the weights are unfit for the algorithm."""


class ProgramError(ArgumentError):
    """A vertex program that does not compile; the message has its line."""


class InputError(HeddleError, ValueError):
    """A malformed file; file, line, column, token and expected say where and what."""


class FileError(HeddleError, OSError):
    """A file that cannot be opened, read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file, or a folder on the way to it, that does not exist."""


class DeniedFileError(FileError, PermissionError):
    """A file that may not be read or written."""


class Note(UserWarning):
    """A guess, or input that was not used: a line taken for a header, weights that an algorithm does not read."""


class OutOfMemoryError(HeddleError, MemoryError):
    """Memory, of the host or of a device, does not suffice; or a size exceeds what can be represented."""


class DeviceError(HeddleError, RuntimeError):
    """A device that does not exist or failed."""


class UnsupportedError(HeddleError, NotImplementedError):
    """This build lacks what was requested, such as a codec or a C compiler."""


class CancelledError(HeddleError):
    """The call was cancelled, by its progress callback."""


class VerificationError(HeddleError, AssertionError):
    """A result failed its verification."""


class ClosedError(HeddleError, ValueError):
    """The graph was closed."""


BY_STATUS: dict[str, type[HeddleError]] = {
    "E_INTERNAL": HeddleError, "E_ARGUMENT": ArgumentError, "E_CANCELLED": CancelledError,
    "E_UNSUPPORTED": UnsupportedError, "E_MEMORY": OutOfMemoryError, "E_LIMIT": OutOfMemoryError,
    "E_OPEN": FileError, "E_READ": FileError, "E_WRITE": FileError, "E_FORMAT": InputError, "E_LOSSY": ArgumentError,
    "E_SOURCE": VertexError, "E_REFUSED": RefusedError, "E_WEIGHT": RefusedError, "E_PROGRAM": ProgramError,
    "E_DEVICE": DeviceError, "E_DEVICE_MEMORY": OutOfMemoryError, "E_VERIFY": VerificationError,
}


#: What the operating system says of a file, by the words for it in messages.
_ERRNOS = {os.strerror(code): code for code in (
    errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.ENOSPC, errno.EROFS, errno.ELOOP,
    errno.ENAMETOOLONG, errno.EMFILE, errno.EIO, errno.EPIPE, errno.EDQUOT, errno.EFBIG)}
_BY_ERRNO: dict[int, type[FileError]] = {errno.ENOENT: MissingFileError, errno.EACCES: DeniedFileError,
                                         errno.EPERM: DeniedFileError}


def _file_error(message: str, file: object) -> FileError:
    """With what Python's own exceptions of files have: errno, strerror, filename."""
    reason = next((text for text in _ERRNOS if text in message), None)
    number = None if reason is None else _ERRNOS[reason]
    error = (FileError if number is None else _BY_ERRNO.get(number, FileError))(message)
    if number is not None:
        error.errno, error.strerror = number, reason
    error.filename = file or None
    return error


def make(status: str, code: int, message: str, **fields: object) -> HeddleError:
    """The exception for a status; `status` without its prefix HEDDLE_."""
    kind = BY_STATUS.get(status, HeddleError)
    error = _file_error(message, fields.get("file")) if kind is FileError else kind(message)
    error.status, error.code, error.message = "HEDDLE_" + status, code, message
    for name, value in fields.items():
        setattr(error, name, value)
    return error


def argument(message: str) -> ArgumentError:
    """An error in an argument that the binding itself has found."""
    error = make("E_ARGUMENT", -2, message)
    assert isinstance(error, ArgumentError)
    return error
