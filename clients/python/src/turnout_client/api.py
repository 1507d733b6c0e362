# mypy: disable-error-code="no-any-return"
# Written by `npm run api` from docs/api/openapi.json. Do not edit.
from __future__ import annotations

from typing import Any, Literal
from urllib.parse import quote

from .types import *  # noqa: F403


class Api:
    """One method for each operation of the API, named by its operation id."""

    def _call(self, method: str, path: str, *, query: Any = None, body: Any = None, if_match: str | None = None, idempotency_key: str | None = None) -> Any:
        raise NotImplementedError

    def root_retrieve(self, *, fields: str | None = None) -> ApiRoot:
        """Addresses of the lists"""
        return self._call("GET", "/api/", query={"fields": fields})

    def events_list(self, *, type: int | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, ordering: str | None = None, search: str | None = None, modified_since: str | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, include: Literal["participations"] | None = None, fields: str | None = None) -> EventPage:
        """Events the caller may see"""
        return self._call("GET", "/api/events/", query={"type": type, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "ordering": ordering, "search": search, "modified_since": modified_since, "limit": limit, "offset": offset, "cursor": cursor, "include": include, "fields": fields})

    def events_create(self, body: EventsCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> Event:
        """Create an event with its shifts, as a draft or published"""
        return self._call("POST", "/api/events/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def events_retrieve(self, id: int, *, type: int | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, ordering: str | None = None, search: str | None = None, modified_since: str | None = None, include: Literal["participations"] | None = None, fields: str | None = None) -> Event:
        """One event"""
        return self._call("GET", f"/api/events/{quote(str(id), safe='')}/", query={"type": type, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "ordering": ordering, "search": search, "modified_since": modified_since, "include": include, "fields": fields})

    def events_update(self, id: int, body: EventsUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> Event:
        """Change an event"""
        return self._call("PATCH", f"/api/events/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def events_delete(self, id: int, *, if_match: str, dry_run: bool | None = None) -> None:
        """Move an event to the bin"""
        return self._call("DELETE", f"/api/events/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, if_match=if_match)

    def events_drafts_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> EventPage:
        """Drafts that the caller may change, the newest first"""
        return self._call("GET", "/api/events/drafts/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def events_drafts_retrieve(self, id: int, *, fields: str | None = None) -> Event:
        """One draft"""
        return self._call("GET", f"/api/events/drafts/{quote(str(id), safe='')}/", query={"fields": fields})

    def events_bin_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> DeletedEventPage:
        """Deleted events that the caller may restore, the last deleted first"""
        return self._call("GET", "/api/events/bin/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def events_cancelled_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> CancelledEventPage:
        """Cancelled events that the caller could see, the last cancelled first"""
        return self._call("GET", "/api/events/cancelled/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def events_cancelled_retrieve(self, id: int, *, fields: str | None = None) -> CancelledEvent:
        """One cancelled event with its shifts and the reason"""
        return self._call("GET", f"/api/events/cancelled/{quote(str(id), safe='')}/", query={"fields": fields})

    def events_planning_retrieve(self, id: int, *, fields: str | None = None) -> PlannedEvent:
        """The state of an event, who sees it and who is responsible"""
        return self._call("GET", f"/api/events/{quote(str(id), safe='')}/planning/", query={"fields": fields})

    def events_restore_create(self, id: int, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Event:
        """Take an event out of the bin"""
        return self._call("POST", f"/api/events/{quote(str(id), safe='')}/restore/", query={"dry_run": dry_run}, if_match=if_match, idempotency_key=idempotency_key)

    def events_publish_create(self, id: int, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Event:
        """Publish a draft"""
        return self._call("POST", f"/api/events/{quote(str(id), safe='')}/publish/", query={"dry_run": dry_run}, if_match=if_match, idempotency_key=idempotency_key)

    def events_cancel_create(self, id: int, body: EventsCancelCreateBody, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Event:
        """Cancel an event, or change the reason"""
        return self._call("POST", f"/api/events/{quote(str(id), safe='')}/cancel/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def events_reopen_create(self, id: int, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Event:
        """Take back that an event was cancelled"""
        return self._call("POST", f"/api/events/{quote(str(id), safe='')}/reopen/", query={"dry_run": dry_run}, if_match=if_match, idempotency_key=idempotency_key)

    def events_duplicate_create(self, id: int, body: EventsDuplicateCreateBody | None = None, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> EventsDuplicateCreateAnswer:
        """Make one draft per date, without participations"""
        return self._call("POST", f"/api/events/{quote(str(id), safe='')}/duplicate/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def events_attendance_retrieve(self, id: int, *, fields: str | None = None) -> Attendance:
        """Who came, left or stayed away"""
        return self._call("GET", f"/api/events/{quote(str(id), safe='')}/attendance/", query={"fields": fields})

    def events_attendance_create(self, id: int, body: EventsAttendanceCreateBody, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Attendance:
        """Check people in and out"""
        return self._call("POST", f"/api/events/{quote(str(id), safe='')}/attendance/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def reports_retrieve(self, *, first_day: str | None = None, last_day: str | None = None, type: int | None = None, group: int | None = None, fields: str | None = None) -> Report:
        """Figures of a period: shifts, hours, reliability, people"""
        return self._call("GET", "/api/reports/", query={"first_day": first_day, "last_day": last_day, "type": type, "group": group, "fields": fields})

    def shifts_list(self, *, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, ordering: str | None = None, search: str | None = None, modified_since: str | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, include: Literal["participations"] | None = None, fields: str | None = None) -> ShiftPage:
        """Shifts of events the caller may see"""
        return self._call("GET", "/api/shifts/", query={"start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "ordering": ordering, "search": search, "modified_since": modified_since, "limit": limit, "offset": offset, "cursor": cursor, "include": include, "fields": fields})

    def shifts_retrieve(self, id: int, *, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, ordering: str | None = None, search: str | None = None, modified_since: str | None = None, include: Literal["participations"] | None = None, fields: str | None = None) -> Shift:
        """One shift"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/", query={"start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "ordering": ordering, "search": search, "modified_since": modified_since, "include": include, "fields": fields})

    def shifts_update(self, id: int, body: ShiftsUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> Shift:
        """Change a shift"""
        return self._call("PATCH", f"/api/shifts/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def shifts_delete(self, id: int, *, if_match: str, dry_run: bool | None = None) -> None:
        """Delete a shift with its participations"""
        return self._call("DELETE", f"/api/shifts/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, if_match=if_match)

    def shifts_exchanges_retrieve(self, id: int, *, fields: str | None = None) -> ShiftExchanges:
        """Searches for stand-ins and proposed swaps of a shift"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/exchanges/", query={"fields": fields})

    def shifts_stand_ins_decide_create(self, shift: int, id: int, body: ShiftsStandInsDecideCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> ShiftExchanges:
        """Agree to a stand-in that two people found, or refuse it"""
        return self._call("POST", f"/api/shifts/{quote(str(shift), safe='')}/stand-ins/{quote(str(id), safe='')}/decide/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def shifts_swaps_decide_create(self, shift: int, id: int, body: ShiftsSwapsDecideCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> ShiftExchanges:
        """Agree to a swap that two people want, or refuse it"""
        return self._call("POST", f"/api/shifts/{quote(str(shift), safe='')}/swaps/{quote(str(id), safe='')}/decide/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def shifts_removed_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> RemovedShiftPage:
        """Cancelled and deleted shifts of events that go on, the last removed first"""
        return self._call("GET", "/api/shifts/removed/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def shifts_removed_retrieve(self, id: int, *, fields: str | None = None) -> RemovedShift:
        """One cancelled or deleted shift"""
        return self._call("GET", f"/api/shifts/removed/{quote(str(id), safe='')}/", query={"fields": fields})

    def shifts_planning_retrieve(self, id: int, *, fields: str | None = None) -> PlannedShift:
        """The questions of a shift"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/planning/", query={"fields": fields})

    def events_shifts_create(self, id: int, body: EventsShiftsCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> Shift:
        """Add a shift to an event"""
        return self._call("POST", f"/api/events/{quote(str(id), safe='')}/shifts/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def shifts_cancel_create(self, id: int, body: ShiftsCancelCreateBody, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> RemovedShift:
        """Cancel a shift of an event that goes on"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/cancel/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def shifts_restore_create(self, id: int, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Shift:
        """Bring back a cancelled or deleted shift with its participations"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/restore/", query={"dry_run": dry_run}, if_match=if_match, idempotency_key=idempotency_key)

    def shifts_duplicate_create(self, id: int, body: ShiftsDuplicateCreateBody | None = None, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> ShiftsDuplicateCreateAnswer:
        """Copy a shift to other days of its event, without participations"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/duplicate/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def shifts_inquiries_retrieve(self, id: int, *, fields: str | None = None) -> ShiftInquiries:
        """Who was asked to take part in a shift, and what they answered"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/inquiries/", query={"fields": fields})

    def shifts_inquiries_create(self, id: int, body: ShiftsInquiriesCreateBody | None = None, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> ShiftInquiries:
        """Ask people whether they can take part in a shift"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/inquiries/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def shifts_inquiries_stop_create(self, shift: int, id: int, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> ShiftInquiries:
        """Ask nobody else, and tell those who have not answered that they are not needed"""
        return self._call("POST", f"/api/shifts/{quote(str(shift), safe='')}/inquiries/{quote(str(id), safe='')}/stop/", query={"dry_run": dry_run}, idempotency_key=idempotency_key)

    def shifts_forecast_retrieve(self, id: int, *, fields: str | None = None) -> ShiftForecast:
        """How many people a shift will probably have when it begins"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/forecast/", query={"fields": fields})

    def shortages_retrieve(self, *, start_time_after: str | None = None, start_time_before: str | None = None, type: int | None = None, fields: str | None = None) -> Shortages:
        """Shifts that need people"""
        return self._call("GET", "/api/shortages/", query={"start_time_after": start_time_after, "start_time_before": start_time_before, "type": type, "fields": fields})

    def shifts_proposal_retrieve(self, id: int, *, pool: Literal["requested", "everyone"] | None = None, optional: Literal["true", "false"] | None = None, fields: str | None = None) -> FillProposal:
        """Who could fill the open places of a shift"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/proposal/", query={"pool": pool, "optional": optional, "fields": fields})

    def participations_list(self, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, event: list[int] | None = None, shift: list[int] | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> ParticipationPage:
        """Participations, requested and confirmed, without e-mail address and date of birth"""
        return self._call("GET", "/api/participations/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "event": event, "shift": shift, "limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def participations_retrieve(self, id: int, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, event: list[int] | None = None, shift: list[int] | None = None, fields: str | None = None) -> Participation:
        """One of: Participations, requested and confirmed, without e-mail address and date of birth"""
        return self._call("GET", f"/api/participations/{quote(str(id), safe='')}/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "event": event, "shift": shift, "fields": fields})

    def participations_update(self, id: int, body: ParticipationsUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> Participation:
        """Confirm or reject a person, or change their times or place"""
        return self._call("PATCH", f"/api/participations/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def participations_userinfo_list(self, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, event: list[int] | None = None, shift: list[int] | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> UserinfoParticipationPage:
        """Participations in all states, with user information"""
        return self._call("GET", "/api/participations-userinfo/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "event": event, "shift": shift, "limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def participations_userinfo_retrieve(self, id: int, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, event: list[int] | None = None, shift: list[int] | None = None, fields: str | None = None) -> UserinfoParticipation:
        """One of: Participations in all states, with user information"""
        return self._call("GET", f"/api/participations-userinfo/{quote(str(id), safe='')}/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "event": event, "shift": shift, "fields": fields})

    def shifts_participations_create(self, id: int, body: ShiftsParticipationsCreateBody | None = None, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> Participation:
        """Add a person or a placeholder to a shift"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/participations/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def participations_comments_create(self, id: int, body: ParticipationsCommentsCreateBody, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Comment:
        """Comment on a participation"""
        return self._call("POST", f"/api/participations/{quote(str(id), safe='')}/comments/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def participations_keep_create(self, id: int, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Participation:
        """Keep a confirmed person who lost what the place needs"""
        return self._call("POST", f"/api/participations/{quote(str(id), safe='')}/keep/", query={"dry_run": dry_run}, if_match=if_match, idempotency_key=idempotency_key)

    def shifts_candidates_list(self, id: int, *, search: str | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> CandidatePage:
        """People whom planners can assign to a shift, and whether they fit"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/candidates/", query={"search": search, "limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_list(self, *, search: str | None = None, email: list[str] | None = None, modified_since: str | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> UserProfilePage:
        """Profiles of all people"""
        return self._call("GET", "/api/users/", query={"search": search, "email": email, "modified_since": modified_since, "limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_create(self, body: UsersCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> UserProfile:
        """Add a person"""
        return self._call("POST", "/api/users/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def users_retrieve(self, id: int, *, search: str | None = None, email: list[str] | None = None, modified_since: str | None = None, fields: str | None = None) -> UserProfile:
        """The profile of one person"""
        return self._call("GET", f"/api/users/{quote(str(id), safe='')}/", query={"search": search, "email": email, "modified_since": modified_since, "fields": fields})

    def users_update(self, id: int, body: UsersUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> UserProfile:
        """Change a person"""
        return self._call("PATCH", f"/api/users/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def users_destroy(self, id: int, *, if_match: str, dry_run: bool | None = None) -> None:
        """Delete a person and their personal data"""
        return self._call("DELETE", f"/api/users/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, if_match=if_match)

    def users_by_email_retrieve(self, email: str, *, fields: str | None = None) -> UserProfile:
        """The profile of the person with this e-mail address"""
        return self._call("GET", f"/api/users/by_email/{quote(str(email), safe='')}/", query={"fields": fields})

    def users_me_retrieve(self, *, fields: str | None = None) -> UserProfile:
        """The profile of the caller"""
        return self._call("GET", "/api/users/me/", query={"fields": fields})

    def users_me_update(self, body: UsersMeUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> UserProfile:
        """Choose the language of pages and mails"""
        return self._call("PATCH", "/api/users/me/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def users_me_details_retrieve(self, *, fields: str | None = None) -> OwnDetails:
        """What people enter about themselves: name, phone, emergency contact"""
        return self._call("GET", "/api/users/me/details/", query={"fields": fields})

    def users_me_details_update(self, body: UsersMeDetailsUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> OwnDetails:
        """Change the own name, phone and emergency contact"""
        return self._call("PATCH", "/api/users/me/details/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def users_deactivate_create(self, id: int, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> UserProfile:
        """Close an account"""
        return self._call("POST", f"/api/users/{quote(str(id), safe='')}/deactivate/", query={"dry_run": dry_run}, if_match=if_match, idempotency_key=idempotency_key)

    def users_activate_create(self, id: int, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> UserProfile:
        """Open an account again"""
        return self._call("POST", f"/api/users/{quote(str(id), safe='')}/activate/", query={"dry_run": dry_run}, if_match=if_match, idempotency_key=idempotency_key)

    def users_me_qualifications_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> HeldQualificationPage:
        """The caller's qualifications with their expiry, also expired ones"""
        return self._call("GET", "/api/users/me/qualifications/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_me_qualifications_retrieve(self, id: int, *, fields: str | None = None) -> HeldQualification:
        """One of: The caller's qualifications with their expiry, also expired ones"""
        return self._call("GET", f"/api/users/me/qualifications/{quote(str(id), safe='')}/", query={"fields": fields})

    def users_qualifications_list(self, user: str, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> HeldQualificationPage:
        """Qualifications of one person with their expiry, also expired ones"""
        return self._call("GET", f"/api/users/{quote(str(user), safe='')}/qualifications/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_qualifications_create(self, user: str, body: UsersQualificationsCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> HeldQualification:
        """Grant a qualification to a person"""
        return self._call("POST", f"/api/users/{quote(str(user), safe='')}/qualifications/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def users_qualifications_retrieve(self, user: str, id: int, *, fields: str | None = None) -> HeldQualification:
        """One of: Qualifications of one person with their expiry, also expired ones"""
        return self._call("GET", f"/api/users/{quote(str(user), safe='')}/qualifications/{quote(str(id), safe='')}/", query={"fields": fields})

    def users_qualifications_update(self, user: str, id: int, body: UsersQualificationsUpdateBody, *, if_match: str, dry_run: bool | None = None) -> HeldQualification:
        """Change how long a person has a qualification"""
        return self._call("PATCH", f"/api/users/{quote(str(user), safe='')}/qualifications/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def users_qualifications_destroy(self, user: str, id: int, *, if_match: str, dry_run: bool | None = None) -> None:
        """Withdraw a qualification of a person"""
        return self._call("DELETE", f"/api/users/{quote(str(user), safe='')}/qualifications/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, if_match=if_match)

    def me_capabilities_retrieve(self, *, fields: str | None = None) -> Capabilities:
        """What the credential of this request may do"""
        return self._call("GET", "/api/me/capabilities/", query={"fields": fields})

    def users_me_availability_retrieve(self, *, fields: str | None = None) -> Availability:
        """When the caller can or cannot, as they said"""
        return self._call("GET", "/api/users/me/availability/", query={"fields": fields})

    def users_me_availability_update(self, body: UsersMeAvailabilityUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> Availability:
        """Say when you can or cannot"""
        return self._call("PATCH", "/api/users/me/availability/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def users_me_participations_list(self, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, event: list[int] | None = None, shift: list[int] | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> UserinfoParticipationPage:
        """The caller's participations in all states"""
        return self._call("GET", "/api/users/me/participations/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "event": event, "shift": shift, "limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_me_participations_retrieve(self, id: int, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, event: list[int] | None = None, shift: list[int] | None = None, fields: str | None = None) -> UserinfoParticipation:
        """One of: The caller's participations in all states"""
        return self._call("GET", f"/api/users/me/participations/{quote(str(id), safe='')}/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "event": event, "shift": shift, "fields": fields})

    def users_me_participations_update(self, id: int, body: UsersMeParticipationsUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> UserinfoParticipation:
        """Change times, wish, answers or comment of an own participation"""
        return self._call("PATCH", f"/api/users/me/participations/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def users_me_participations_cancelled_list(self, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> UserinfoParticipationPage:
        """The caller's participations in cancelled events, in all states"""
        return self._call("GET", "/api/users/me/participations/cancelled/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_me_participations_cancelled_retrieve(self, id: int, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, fields: str | None = None) -> UserinfoParticipation:
        """One of: The caller's participations in cancelled events, in all states"""
        return self._call("GET", f"/api/users/me/participations/cancelled/{quote(str(id), safe='')}/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "fields": fields})

    def users_participations_list(self, user: str, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, event: list[int] | None = None, shift: list[int] | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> ParticipationPage:
        """Participations of one person in all states, without e-mail address and date of birth"""
        return self._call("GET", f"/api/users/{quote(str(user), safe='')}/participations/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "event": event, "shift": shift, "limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_participations_retrieve(self, user: str, id: int, *, state: Literal[0, 1, 2, 3, 4] | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, modified_since: str | None = None, event_type: list[int] | None = None, event: list[int] | None = None, shift: list[int] | None = None, fields: str | None = None) -> Participation:
        """One of: Participations of one person in all states, without e-mail address and date of birth"""
        return self._call("GET", f"/api/users/{quote(str(user), safe='')}/participations/{quote(str(id), safe='')}/", query={"state": state, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "modified_since": modified_since, "event_type": event_type, "event": event, "shift": shift, "fields": fields})

    def users_me_picture_retrieve(self, *, fields: str | None = None) -> OwnPicture:
        """The own picture"""
        return self._call("GET", "/api/users/me/picture/", query={"fields": fields})

    def users_me_picture_update(self, body: UsersMePictureUpdateBody, *, if_match: str, dry_run: bool | None = None) -> OwnPicture:
        """Upload or remove the own picture"""
        return self._call("PATCH", "/api/users/me/picture/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def users_me_working_hours_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> WorkingHoursPage:
        """The caller's working hours that were entered by hand"""
        return self._call("GET", "/api/users/me/working-hours/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_me_working_hours_create(self, body: UsersMeWorkingHoursCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> WorkingHoursRequest:
        """Ask for working hours"""
        return self._call("POST", "/api/users/me/working-hours/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def users_me_working_hours_retrieve(self, id: int, *, fields: str | None = None) -> WorkingHours:
        """One of: The caller's working hours that were entered by hand"""
        return self._call("GET", f"/api/users/me/working-hours/{quote(str(id), safe='')}/", query={"fields": fields})

    def users_me_working_hours_requests_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> WorkingHoursRequestPage:
        """The caller's requests for working hours, with their decisions"""
        return self._call("GET", "/api/users/me/working-hours-requests/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_me_working_hours_requests_retrieve(self, id: int, *, fields: str | None = None) -> WorkingHoursRequest:
        """One of the caller's requests for working hours"""
        return self._call("GET", f"/api/users/me/working-hours-requests/{quote(str(id), safe='')}/", query={"fields": fields})

    def users_me_working_hours_requests_withdraw_create(self, id: int, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> WorkingHoursRequest:
        """Withdraw a request for working hours that nobody has decided"""
        return self._call("POST", f"/api/users/me/working-hours-requests/{quote(str(id), safe='')}/withdraw/", query={"dry_run": dry_run}, if_match=if_match, idempotency_key=idempotency_key)

    def users_me_notifications_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> NotificationPage:
        """The caller's notifications, newest first"""
        return self._call("GET", "/api/users/me/notifications/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_me_notifications_retrieve(self, id: int, *, fields: str | None = None) -> Notification:
        """One of the caller's notifications"""
        return self._call("GET", f"/api/users/me/notifications/{quote(str(id), safe='')}/", query={"fields": fields})

    def users_me_notification_choices_retrieve(self, *, fields: str | None = None) -> NotificationChoices:
        """Which notifications the caller gets by mail and push"""
        return self._call("GET", "/api/users/me/notification-choices/", query={"fields": fields})

    def users_me_notification_choices_update(self, body: UsersMeNotificationChoicesUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> NotificationChoices:
        """Choose which notifications come by mail and push"""
        return self._call("PATCH", "/api/users/me/notification-choices/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def users_me_notifications_read_all_create(self, body: UsersMeNotificationsReadAllCreateBody | None = None, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> None:
        """Mark the caller's notifications as read"""
        return self._call("POST", "/api/users/me/notifications/read/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def users_me_notifications_read_create(self, id: int, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> Notification:
        """Mark one of the caller's notifications as read"""
        return self._call("POST", f"/api/users/me/notifications/{quote(str(id), safe='')}/read/", query={"dry_run": dry_run}, idempotency_key=idempotency_key)

    def shifts_eligibility_retrieve(self, id: int, *, fields: str | None = None) -> Eligibility:
        """What the caller can do about a shift, and why not"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/eligibility/", query={"fields": fields})

    def shifts_signup_create(self, id: int, body: ShiftsSignupCreateBody | None = None, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> UserinfoParticipation:
        """Sign up for a shift"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/signup/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def shifts_decline_create(self, id: int, body: ShiftsDeclineCreateBody | None = None, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> UserinfoParticipation:
        """Decline a shift, or give up a place"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/decline/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def shifts_undo_create(self, id: int, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> UserinfoParticipation | None:
        """Take back the last own step: sign-up, decline or change of details"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/undo/", query={"dry_run": dry_run}, idempotency_key=idempotency_key)

    def shifts_companions_retrieve(self, id: int, *, fields: str | None = None) -> Companions:
        """Whom you bring to a shift"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/companions/", query={"fields": fields})

    def shifts_companions_update(self, id: int, body: ShiftsCompanionsUpdateBody, *, if_match: str, dry_run: bool | None = None) -> Companions:
        """Say whom you bring to a shift"""
        return self._call("PATCH", f"/api/shifts/{quote(str(id), safe='')}/companions/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def users_me_exchanges_retrieve(self, *, fields: str | None = None) -> OwnExchanges:
        """Own searches for stand-ins, searches in which you were asked, and swaps that wait for an answer"""
        return self._call("GET", "/api/users/me/exchanges/", query={"fields": fields})

    def shifts_stand_in_create(self, id: int, body: ShiftsStandInCreateBody | None = None, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnExchanges:
        """Look for somebody who takes your confirmed place"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/stand-in/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def shifts_stand_in_cancel_create(self, id: int, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnExchanges:
        """Stop looking for a stand-in, and keep the place"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/stand-in/cancel/", query={"dry_run": dry_run}, idempotency_key=idempotency_key)

    def users_me_stand_ins_answer_create(self, id: int, body: UsersMeStandInsAnswerCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnExchanges:
        """Take the place of somebody who looks for a stand-in, or not"""
        return self._call("POST", f"/api/users/me/stand-ins/{quote(str(id), safe='')}/answer/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def shifts_swap_places_retrieve(self, id: int, *, fields: str | None = None) -> SwapPlaces:
        """Places of others for which you could exchange your confirmed place in a shift"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/swap-places/", query={"fields": fields})

    def shifts_swap_create(self, id: int, body: ShiftsSwapCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnExchanges:
        """Propose to exchange your confirmed place for that of another person"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/swap/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def users_me_swaps_answer_create(self, id: int, body: UsersMeSwapsAnswerCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnExchanges:
        """Agree to a swap that somebody proposed to you, or decline it"""
        return self._call("POST", f"/api/users/me/swaps/{quote(str(id), safe='')}/answer/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def users_me_swaps_withdraw_create(self, id: int, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnExchanges:
        """Take back a swap that you proposed"""
        return self._call("POST", f"/api/users/me/swaps/{quote(str(id), safe='')}/withdraw/", query={"dry_run": dry_run}, idempotency_key=idempotency_key)

    def users_me_participations_attendance_retrieve(self, id: int, *, fields: str | None = None) -> OwnAttendance:
        """When you arrived at a shift on which you are confirmed, and left it"""
        return self._call("GET", f"/api/users/me/participations/{quote(str(id), safe='')}/attendance/", query={"fields": fields})

    def users_me_participations_attendance_create(self, id: int, body: UsersMeParticipationsAttendanceCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnAttendance:
        """Say that you are there, or that you leave"""
        return self._call("POST", f"/api/users/me/participations/{quote(str(id), safe='')}/attendance/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def users_me_inquiries_retrieve(self, *, fields: str | None = None) -> OwnInquiries:
        """Questions of planners whether you can take part, which wait for your answer"""
        return self._call("GET", "/api/users/me/inquiries/", query={"fields": fields})

    def users_me_inquiries_answer_create(self, id: int, body: UsersMeInquiriesAnswerCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnInquiries:
        """Say that you can take part, which signs you up, or that you cannot"""
        return self._call("POST", f"/api/users/me/inquiries/{quote(str(id), safe='')}/answer/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def buildingblocks_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> BuildingBlockPage:
        """All building blocks"""
        return self._call("GET", "/api/buildingblocks/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def buildingblocks_create(self, body: BuildingblocksCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> BuildingBlock:
        """Create a building block"""
        return self._call("POST", "/api/buildingblocks/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def buildingblocks_retrieve(self, id: int, *, fields: str | None = None) -> BuildingBlock:
        """One building block"""
        return self._call("GET", f"/api/buildingblocks/{quote(str(id), safe='')}/", query={"fields": fields})

    def buildingblocks_update(self, id: int, body: BuildingblocksUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> BuildingBlock:
        """Change a building block and every shift that uses it"""
        return self._call("PATCH", f"/api/buildingblocks/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def buildingblocks_delete(self, id: int, body: BuildingblocksDeleteBody | None = None, *, if_match: str, dry_run: bool | None = None) -> None:
        """Delete a building block, and remove it from shifts and other blocks"""
        return self._call("DELETE", f"/api/buildingblocks/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def event_types_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> EventTypePage:
        """All event types, with archived ones"""
        return self._call("GET", "/api/event-types/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def event_types_create(self, body: EventTypesCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> EventType:
        """Create an event type"""
        return self._call("POST", "/api/event-types/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def event_types_retrieve(self, id: int, *, fields: str | None = None) -> EventType:
        """One event type"""
        return self._call("GET", f"/api/event-types/{quote(str(id), safe='')}/", query={"fields": fields})

    def event_types_update(self, id: int, body: EventTypesUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> EventType:
        """Change, archive or restore an event type"""
        return self._call("PATCH", f"/api/event-types/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def event_types_delete(self, id: int, *, if_match: str, dry_run: bool | None = None) -> None:
        """Delete an event type that no event uses"""
        return self._call("DELETE", f"/api/event-types/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, if_match=if_match)

    def qualifications_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> CatalogueQualificationPage:
        """The catalogue of qualifications"""
        return self._call("GET", "/api/qualifications/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def qualifications_create(self, body: QualificationsCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> CatalogueQualification:
        """Add a qualification"""
        return self._call("POST", "/api/qualifications/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def qualifications_retrieve(self, id: int, *, fields: str | None = None) -> CatalogueQualification:
        """One qualification"""
        return self._call("GET", f"/api/qualifications/{quote(str(id), safe='')}/", query={"fields": fields})

    def qualifications_update(self, id: int, body: QualificationsUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> CatalogueQualification:
        """Change a qualification"""
        return self._call("PATCH", f"/api/qualifications/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def qualifications_destroy(self, id: int, body: QualificationsDestroyBody | None = None, *, if_match: str, dry_run: bool | None = None) -> None:
        """Delete a qualification"""
        return self._call("DELETE", f"/api/qualifications/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def qualification_categories_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> QualificationCategoryPage:
        """Categories of qualifications"""
        return self._call("GET", "/api/qualification-categories/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def qualification_categories_create(self, body: QualificationCategoriesCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> QualificationCategory:
        """Add a category of qualifications"""
        return self._call("POST", "/api/qualification-categories/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def qualification_categories_retrieve(self, id: int, *, fields: str | None = None) -> QualificationCategory:
        """One category of qualifications"""
        return self._call("GET", f"/api/qualification-categories/{quote(str(id), safe='')}/", query={"fields": fields})

    def qualification_categories_update(self, id: int, body: QualificationCategoriesUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> QualificationCategory:
        """Change a category of qualifications"""
        return self._call("PATCH", f"/api/qualification-categories/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def qualification_categories_destroy(self, id: int, *, if_match: str, dry_run: bool | None = None) -> None:
        """Delete a category without qualifications"""
        return self._call("DELETE", f"/api/qualification-categories/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, if_match=if_match)

    def groups_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> GroupPage:
        """All groups"""
        return self._call("GET", "/api/groups/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def groups_create(self, body: GroupsCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> Group:
        """Add a group without members and permissions"""
        return self._call("POST", "/api/groups/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def groups_retrieve(self, id: int, *, fields: str | None = None) -> Group:
        """One group"""
        return self._call("GET", f"/api/groups/{quote(str(id), safe='')}/", query={"fields": fields})

    def groups_update(self, id: int, body: GroupsUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> Group:
        """Rename a group"""
        return self._call("PATCH", f"/api/groups/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def groups_destroy(self, id: int, *, if_match: str, dry_run: bool | None = None) -> None:
        """Delete a group"""
        return self._call("DELETE", f"/api/groups/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, if_match=if_match)

    def groups_members_list(self, id: int, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> UserProfilePage:
        """Profiles of the members of one group"""
        return self._call("GET", f"/api/groups/{quote(str(id), safe='')}/members/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def groups_members_add_create(self, id: int, body: GroupsMembersAddCreateBody, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Group:
        """Add people to a group"""
        return self._call("POST", f"/api/groups/{quote(str(id), safe='')}/members/add/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def groups_members_remove_create(self, id: int, body: GroupsMembersRemoveCreateBody, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Group:
        """Remove people from a group"""
        return self._call("POST", f"/api/groups/{quote(str(id), safe='')}/members/remove/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def users_me_waiting_list_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> OwnWaitingEntryPage:
        """Shifts for which the caller waits or has waited for a place, the newest first"""
        return self._call("GET", "/api/users/me/waiting-list/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def users_me_waiting_list_retrieve(self, id: int, *, fields: str | None = None) -> OwnWaitingEntry:
        """One entry of the caller on a waiting list"""
        return self._call("GET", f"/api/users/me/waiting-list/{quote(str(id), safe='')}/", query={"fields": fields})

    def shifts_waiting_list_retrieve(self, id: int, *, fields: str | None = None) -> WaitingList:
        """Who waits for a place in a shift"""
        return self._call("GET", f"/api/shifts/{quote(str(id), safe='')}/waiting-list/", query={"fields": fields})

    def shifts_waiting_list_join_create(self, id: int, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnWaitingEntry:
        """Wait for a place in a full shift"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/waiting-list/join/", query={"dry_run": dry_run}, idempotency_key=idempotency_key)

    def shifts_waiting_list_leave_create(self, id: int, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnWaitingEntry:
        """Leave the waiting list of a shift, and give up an offered place"""
        return self._call("POST", f"/api/shifts/{quote(str(id), safe='')}/waiting-list/leave/", query={"dry_run": dry_run}, idempotency_key=idempotency_key)

    def users_me_waiting_list_answer_create(self, id: int, body: UsersMeWaitingListAnswerCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> OwnWaitingEntry:
        """Accept a place that is offered, or leave it to the next person"""
        return self._call("POST", f"/api/users/me/waiting-list/{quote(str(id), safe='')}/answer/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def resources_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> ResourcePage:
        """Vehicles, rooms and material that shifts can use"""
        return self._call("GET", "/api/resources/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def resources_retrieve(self, id: int, *, fields: str | None = None) -> Resource:
        """One resource"""
        return self._call("GET", f"/api/resources/{quote(str(id), safe='')}/", query={"fields": fields})

    def resource_categories_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> ResourceCategoryPage:
        """Categories of resources"""
        return self._call("GET", "/api/resource-categories/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def resource_categories_retrieve(self, id: int, *, fields: str | None = None) -> ResourceCategory:
        """One category of resources"""
        return self._call("GET", f"/api/resource-categories/{quote(str(id), safe='')}/", query={"fields": fields})

    def federation_subscribe(self, body: FederationSubscribeBody) -> None:
        """Ask to be told when something changes for the instance that the token was given to"""
        return self._call("POST", "/api/federation/subscription/", body=body)

    def federation_changes(self, body: FederationChangesBody | None = None) -> FederationChanges:
        """What changed for the instance that the token was given to"""
        return self._call("POST", "/api/federation/changes/", body=body)

    def federation_objections(self, body: FederationObjectionsBody) -> None:
        """Name the people of the instance about whom nothing is to be told"""
        return self._call("POST", "/api/federation/objections/", body=body)

    def federation_decline(self, body: FederationDeclineBody) -> None:
        """Give up the place of a person of the instance"""
        return self._call("POST", "/api/federation/declines/", body=body)

    def federation_notice(self, body: FederationNoticeBody) -> None:
        """Say that something has changed at a host of this instance"""
        return self._call("POST", "/api/federation/notices/", body=body)

    def federation_events_list(self, *, type: int | None = None, start_time_after: str | None = None, start_time_before: str | None = None, end_time_after: str | None = None, end_time_before: str | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> SharedEventPage:
        """Events shared with the instance that the token was given to"""
        return self._call("GET", "/api/federation/events/", query={"type": type, "start_time_after": start_time_after, "start_time_before": start_time_before, "end_time_after": end_time_after, "end_time_before": end_time_before, "limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def federation_participations_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> VisitorParticipationPage:
        """Where people of the instance that the token was given to stand here"""
        return self._call("GET", "/api/federation/participations/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def federation_setup(self, body: FederationSetupBody) -> FederatedGuest:
        """Redeem an invite code and become a guest of this instance"""
        return self._call("POST", "/api/federation/setup/", body=body)

    def federation_guest_delete(self) -> None:
        """End the link to the instance that the token was given to"""
        return self._call("DELETE", "/api/federation/guest/delete/")

    def requests_list(self, *, state: Literal["open", "granted", "failed", "refused"] | None = None, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> RequestPage:
        """Requests that the caller decides about, also decided ones"""
        return self._call("GET", "/api/requests/", query={"state": state, "limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def requests_retrieve(self, id: int, *, fields: str | None = None) -> Request:
        """One request that the caller decides about"""
        return self._call("GET", f"/api/requests/{quote(str(id), safe='')}/", query={"fields": fields})

    def requests_approve_create(self, id: int, body: RequestsApproveCreateBody | None = None, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Request:
        """Approve a request, and do what was asked for"""
        return self._call("POST", f"/api/requests/{quote(str(id), safe='')}/approve/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def requests_reject_create(self, id: int, body: RequestsRejectCreateBody | None = None, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> Request:
        """Reject a request"""
        return self._call("POST", f"/api/requests/{quote(str(id), safe='')}/reject/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def working_hours_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> WorkingHoursPage:
        """Working hours that were entered by hand, of people whose hours the caller sees or decides about"""
        return self._call("GET", "/api/working-hours/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def working_hours_create(self, body: WorkingHoursCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> WorkingHours:
        """Enter working hours of a person"""
        return self._call("POST", "/api/working-hours/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def working_hours_retrieve(self, id: int, *, fields: str | None = None) -> WorkingHours:
        """One of: Working hours that were entered by hand, of people whose hours the caller sees or decides about"""
        return self._call("GET", f"/api/working-hours/{quote(str(id), safe='')}/", query={"fields": fields})

    def working_hours_update(self, id: int, body: WorkingHoursUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> WorkingHours:
        """Change working hours that were entered by hand"""
        return self._call("PATCH", f"/api/working-hours/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def working_hours_destroy(self, id: int, *, if_match: str, dry_run: bool | None = None) -> None:
        """Delete working hours that were entered by hand"""
        return self._call("DELETE", f"/api/working-hours/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, if_match=if_match)

    def changes_list(self, *, after: str | None = None, limit: int | None = None, wait: int | None = None, fields: str | None = None) -> Changes:
        """What changed since a cursor"""
        return self._call("GET", "/api/changes/", query={"after": after, "limit": limit, "wait": wait, "fields": fields})

    def webhooks_list(self, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> WebhookPage:
        """Your webhooks"""
        return self._call("GET", "/api/webhooks/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def webhooks_create(self, body: WebhooksCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> NewWebhook:
        """Add a webhook"""
        return self._call("POST", "/api/webhooks/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def webhooks_retrieve(self, id: int, *, fields: str | None = None) -> Webhook:
        """One of your webhooks"""
        return self._call("GET", f"/api/webhooks/{quote(str(id), safe='')}/", query={"fields": fields})

    def webhooks_update(self, id: int, body: WebhooksUpdateBody | None = None, *, if_match: str, dry_run: bool | None = None) -> Webhook:
        """Change, pause or resume a webhook"""
        return self._call("PATCH", f"/api/webhooks/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, body=body, if_match=if_match)

    def webhooks_delete(self, id: int, *, if_match: str, dry_run: bool | None = None) -> None:
        """Delete a webhook with its log"""
        return self._call("DELETE", f"/api/webhooks/{quote(str(id), safe='')}/", query={"dry_run": dry_run}, if_match=if_match)

    def webhooks_deliveries_list(self, id: int, *, limit: int | None = None, offset: int | None = None, cursor: str | None = None, fields: str | None = None) -> WebhookDeliveryPage:
        """What a webhook sent in the last 30 days"""
        return self._call("GET", f"/api/webhooks/{quote(str(id), safe='')}/deliveries/", query={"limit": limit, "offset": offset, "cursor": cursor, "fields": fields})

    def webhooks_rotate_secret(self, id: int, body: WebhooksRotateSecretBody | None = None, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> NewWebhook:
        """Generate a new secret"""
        return self._call("POST", f"/api/webhooks/{quote(str(id), safe='')}/rotate-secret/", query={"dry_run": dry_run}, body=body, if_match=if_match, idempotency_key=idempotency_key)

    def webhooks_test(self, id: int, *, if_match: str | None = None, idempotency_key: str | None = None, dry_run: bool | None = None) -> WebhookDelivery:
        """Send a test delivery"""
        return self._call("POST", f"/api/webhooks/{quote(str(id), safe='')}/test/", query={"dry_run": dry_run}, if_match=if_match, idempotency_key=idempotency_key)

    def webhooks_deliveries_resend(self, id: int, delivery: int, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> WebhookDelivery:
        """Send a delivery again"""
        return self._call("POST", f"/api/webhooks/{quote(str(id), safe='')}/deliveries/{quote(str(delivery), safe='')}/resend/", query={"dry_run": dry_run}, idempotency_key=idempotency_key)

    def batch_create(self, body: BatchCreateBody, *, idempotency_key: str | None = None, dry_run: bool | None = None) -> BatchResults:
        """Up to 100 writes in one transaction"""
        return self._call("POST", "/api/batch/", query={"dry_run": dry_run}, body=body, idempotency_key=idempotency_key)
