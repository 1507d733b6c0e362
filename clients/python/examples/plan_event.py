"""Creates an event as a draft, with one shift, tries it first, publishes it, and prints its address.

TURNOUT_URL=https://plan.example.org TURNOUT_TOKEN=… python3 plan_event.py "Harbour run" "Pier 3" 2031-05-04T08:00:00+02:00 2031-05-04T14:00:00+02:00
The token needs PUBLIC_READ and PUBLIC_WRITE.
"""
import os
import sys

from turnout_client import ProblemError, TurnoutClient
from turnout_client.types import EventsCreateBody

client = TurnoutClient(os.environ.get("TURNOUT_URL", "http://localhost:8000"), os.environ["TURNOUT_TOKEN"])
title, location, start, end = sys.argv[1:5]
event_type = client.event_types_list(limit=1)["results"][0]
body: EventsCreateBody = {
    "title": title,
    "location": location,
    "type": event_type["id"],
    "shifts": [
        {
            "start_time": start,
            "end_time": end,
            "signup_flow_slug": "request_confirm",
            "structure_slug": "uniform",
            "structure_configuration": {"minimum_number_of_participants": 2, "maximum_number_of_participants": 4},
        }
    ],
}
try:
    client.events_create(body, dry_run=True)
except ProblemError as error:
    # All mistakes at once, each with its place in the body.
    sys.exit("\n".join(f"{each.get('pointer', '')}: {each['detail']}" for each in error.errors))
draft = client.events_create(body)
event = client.events_publish_create(draft["id"])
print(event["frontend_url"])
