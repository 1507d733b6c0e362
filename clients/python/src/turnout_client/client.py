"""The client: sends the requests of `Api`, repeats them when that is safe, and follows pages and changes."""
from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, cast
from urllib.parse import parse_qs, urlencode, urlsplit

from .api import Api
from .errors import ConnectionFailed, ProblemError
from .types import Change, Page

P = ParamSpec("P")
T = TypeVar("T")

RETRIED = {429, 502, 503, 504}
MAX_CHANGE_ROUNDS = 10


@dataclass(frozen=True)
class Response:
    """An answer with what stands beside its body."""

    status: int
    headers: dict[str, str]
    body: Any

    @property
    def etag(self) -> str | None:
        """The version of the record, for `if_match`."""
        return self.headers.get("etag")


class TurnoutClient(Api):
    """Calls the API of one instance with a personal token, the key of a service account or an OAuth token."""

    def __init__(
        self,
        url: str,
        token: str | Callable[[], str],
        *,
        language: str = "en",
        timeout: float = 30,
        attempts: int = 5,
        first_delay: float = 0.5,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"not the address of an instance: {url}")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._token = token
        self._language = language
        self._timeout = timeout
        self._attempts = attempts
        self._first_delay = first_delay

    def request(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: Any = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> Response:
        """Any request, with status and headers of the answer. Each POST has a key, so that it is carried out once."""
        key = (idempotency_key or str(uuid.uuid4())) if method == "POST" else None
        headers = {"accept": "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
        if if_match is not None:
            headers["if-match"] = if_match
        if key is not None:
            headers["idempotency-key"] = key
        data = None if body is None else json.dumps(body).encode()
        return self._send(method, self._origin + path + encode_query(query), headers, data, key)

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Any = None,
        body: Any = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        return self.request(
            method, path, query=query, body=body, if_match=if_match, idempotency_key=idempotency_key
        ).body

    def pages(self, listing: Callable[P, Page[T]], *args: P.args, **query: P.kwargs) -> Iterator[T]:
        """Every record of a list, page by page, by cursor: `client.pages(client.events_list, search="harbour")`."""
        asked: dict[str, Any] = {"cursor": "", **query}
        while True:
            page = cast(Any, listing)(*args, **asked)
            yield from page["results"]
            if page["next"] is None:
                return
            asked["cursor"] = parse_qs(urlsplit(page["next"]).query)["cursor"][0]

    def change(self, path: str, alter: Callable[[Any], dict[str, Any] | None]) -> Any:
        """Reads a record, asks for the changes and writes them. If somebody else was faster, reads it and asks again."""
        for attempt in range(1, MAX_CHANGE_ROUNDS + 1):
            read = self.request("GET", path)
            changes = alter(read.body)
            if changes is None:
                return read.body
            try:
                return self.request("PATCH", path, body=changes, if_match=read.etag or "*").body
            except ProblemError as error:
                if error.status != 412 or attempt == MAX_CHANGE_ROUNDS:
                    raise
        return None

    def follow(self, after: str, *, wait: int = 30) -> Iterator[Change]:
        """Every change after this position, as it happens. `ProblemError` with the code `gone` if the position is too old."""
        while True:
            answer = self.changes_list(after=after, wait=wait)
            yield from answer["results"]
            after = answer["next"]

    def _send(self, method: str, url: str, headers: dict[str, str], data: bytes | None, key: str | None) -> Response:
        failure = ""
        for attempt in range(1, self._attempts + 1):
            token = self._token() if callable(self._token) else self._token
            sent = {**headers, "authorization": f"Bearer {token}", "accept-language": self._language}
            request = urllib.request.Request(url, data=data, headers=sent, method=method)
            delay = self._first_delay * 2 ** (attempt - 1) * (0.5 + random.random())
            try:
                # A waiting request for changes is answered after `wait` seconds.
                with OPENER.open(request, timeout=self._timeout + 60) as answer:
                    return read_answer(answer.status, answer.headers, answer.read())
            except urllib.error.HTTPError as error:
                answer = read_answer(error.code, error.headers, error.read())
                if error.code not in RETRIED or attempt == self._attempts:
                    body = answer.body if isinstance(answer.body, dict) else {}
                    raise ProblemError(error.code, body, answer.headers) from None
                delay = max(delay, float(answer.headers.get("retry-after", 0)))
            except (OSError, http.client.HTTPException) as error:
                failure = str(error)
                # Only a change that names a version is refused when it is repeated; a deletion may be done already.
                if method not in ("GET", "POST"):
                    break
            if attempt < self._attempts:
                time.sleep(delay)
        raise ConnectionFailed(failure, key)


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the token to another address, or turn a write into a read."""

    def redirect_request(self, *_args: Any) -> None:
        return None


OPENER = urllib.request.build_opener(NoRedirects)


def encode_query(query: dict[str, Any] | None) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}
    return f"?{urlencode(texts, doseq=True)}" if texts else ""


def read_answer(status: int, headers: Any, content: bytes) -> Response:
    names = {name.lower(): value for name, value in headers.items()}
    is_json = "json" in names.get("content-type", "")
    return Response(status, names, json.loads(content) if content and is_json else None)
