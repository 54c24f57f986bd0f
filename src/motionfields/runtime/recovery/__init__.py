"""Recovery of characters that a push, a ball or a start from any pose has taken off the data."""

from motionfields.runtime.recovery.recovery import Recovery
from motionfields.runtime.recovery.settings import RecoverySettings

__all__ = ["Recovery", "RecoverySettings"]
