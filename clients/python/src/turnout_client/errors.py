"""What a request can end with beside its answer."""
from __future__ import annotations

from typing import Any


class ProblemError(Exception):
    """The server refused the request. `code` is stable, texts are for people."""

    def __init__(self, status: int, body: dict[str, Any], headers: dict[str, str]) -> None:
        self.status = status
        self.body = body
        self.headers = headers
        self.code: str = body.get("code", "")
        self.detail: str = body.get("detail", "")
        self.errors: list[dict[str, str]] = body.get("errors", [])
        self.request_id: str = body.get("request_id", "")
        self.required_scope: str | None = body.get("required_scope")
        reasons = "; ".join(f"{each.get('pointer') or each.get('parameter') or ''} {each['detail']}".strip() for each in self.errors)
        super().__init__(f"{status} {self.code}: {reasons or self.detail}")


class ConnectionFailed(Exception):
    """No attempt got an answer. A POST can be repeated with the same `idempotency_key`."""

    def __init__(self, message: str, idempotency_key: str | None) -> None:
        self.idempotency_key = idempotency_key
        super().__init__(message)
