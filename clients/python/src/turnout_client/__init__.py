"""A typed client of the Turnout API. No dependencies."""
from .client import Response, TurnoutClient
from .errors import ConnectionFailed, ProblemError

__all__ = ["ConnectionFailed", "ProblemError", "Response", "TurnoutClient"]
