"""Keeps a copy of all events in a file, and goes on after a restart where it stopped.

TURNOUT_URL=https://plan.example.org TURNOUT_TOKEN=… python3 mirror.py events.json [--once]
The token needs PUBLIC_READ.
"""
import json
import os
import sys
from pathlib import Path
from typing import Any

from turnout_client import ProblemError, TurnoutClient

client = TurnoutClient(os.environ.get("TURNOUT_URL", "http://localhost:8000"), os.environ["TURNOUT_TOKEN"])
file = Path(sys.argv[1])


def read_all() -> dict[str, Any]:
    # First the position, then the list: a change between the two is read again afterwards.
    position = client.changes_list()["next"]
    events = {str(event["id"]): event for event in client.pages(client.events_list)}
    return {"position": position, "events": events}


def apply(copy: dict[str, Any], wait: int) -> None:
    answer = client.changes_list(after=copy["position"], wait=wait)
    for change in answer["results"]:
        if change["kind"] != "event":
            continue
        try:
            copy["events"][str(change["id"])] = client.events_retrieve(change["id"])
        except ProblemError as error:
            if error.status != 404:
                raise
            copy["events"].pop(str(change["id"]), None)
    copy["position"] = answer["next"]


copy = json.loads(file.read_text()) if file.exists() else read_all()
while True:
    try:
        apply(copy, 0 if "--once" in sys.argv else 30)
    except ProblemError as error:
        if error.code != "gone":
            raise
        copy = read_all()
    file.write_text(json.dumps(copy))
    if "--once" in sys.argv:
        break
print(f"{len(copy['events'])} events at {copy['position']}")
