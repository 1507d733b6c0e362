"""Signs up for every shift where people are missing and that fits. With an argument only for shifts with these words.

TURNOUT_URL=https://plan.example.org TURNOUT_TOKEN=… python3 sign_up_bot.py [words]
The token needs PUBLIC_READ, ME_READ and ME_WRITE.
"""
import os
import sys
from datetime import datetime, timezone

from turnout_client import ProblemError, TurnoutClient
from turnout_client.types import Shift

client = TurnoutClient(os.environ.get("TURNOUT_URL", "http://localhost:8000"), os.environ["TURNOUT_TOKEN"])


def sign_up(shift: Shift) -> str:
    """Signs up if nothing is against it and nothing has to be chosen; otherwise tells what."""
    eligibility = client.shifts_eligibility_retrieve(shift["id"])
    obstacles = [*eligibility["sign_up"]["reasons"], *eligibility["needed"]]
    if obstacles:
        return " ".join(each["detail"] for each in obstacles)
    try:
        return client.shifts_signup_create(shift["id"], {})["state"]["label"]
    except ProblemError as error:
        # Somebody else may have taken the last place meanwhile.
        if error.code != "refused":
            raise
        return " ".join(each["detail"] for each in error.errors)


now = datetime.now(timezone.utc).isoformat()
words = sys.argv[1] if len(sys.argv) > 1 else None
for shift in client.pages(client.shifts_list, start_time_after=now, search=words):
    if shift["signup_stats"]["missing"]:
        print(shift["start_time"], shift["event_title"], f"{shift['label']}:", sign_up(shift))
