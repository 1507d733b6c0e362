# Written by `npm run api` from docs/api/openapi.json. Do not edit.
from __future__ import annotations

from typing import Any, Generic, Literal, NotRequired, TypedDict, TypeVar

T = TypeVar("T")


class Page(TypedDict, Generic[T]):
    count: int | None
    next: str | None
    previous: str | None
    results: list[T]


ApiRoot = TypedDict("ApiRoot", {
    "events": "str",
    "shifts": "str",
    "participations": "str",
    "participations-userinfo": "str",
    "users": "str",
    "users/me/participations": "str",
})


class AttendanceEntriesItem(TypedDict):
    participation: int
    shift: int
    user: int | None  # null: without an account here
    display_name: str
    start_time: str  # As planned, or as corrected afterwards
    end_time: str
    arrived_at: str | None
    left_at: str | None
    no_show: bool  # Marked on the day
    is_absent: bool  # Somebody responsible has confirmed afterwards that the person was not there


class Attendance(TypedDict):
    id: int  # The id of the event
    entries: list[AttendanceEntriesItem]  # Confirmed people, by shift and name


AvailabilityWeeklyItem = TypedDict("AvailabilityWeeklyItem", {
    "kind": "Literal[\"cannot\", \"can\"]",
    "weekday": "int",
    "from": "str",
    "until": "str",
})


class AvailabilityDaysItem(TypedDict):
    kind: Literal["cannot", "can"]
    first: str
    last: str  # Not before `first`


class Availability(TypedDict):
    weekly: list[AvailabilityWeeklyItem]  # Times of every week
    days: list[AvailabilityDaysItem]  # Whole days, without those that are over. They replace the weekly times


class BatchResultsResultsItem(TypedDict):
    status: int
    headers: dict[str, str]
    body: dict[str, Any] | None


class BatchResults(TypedDict):
    results: list[BatchResultsResultsItem]  # In the order of the operations


class BuildingBlockSubCompositionsItem(TypedDict):
    id: int
    label: str
    optional: bool
    sub_block: str  # The uuid of the block that stands here


class BuildingBlockQualificationRequirementsItem(TypedDict):
    id: int
    qualifications: list[int]  # Ids of qualifications, not their uuids
    everyone: bool  # Everybody in the block needs them
    at_least: int  # Otherwise, so many people need them


class BuildingBlockPositionsItem(TypedDict):
    id: int
    label: str
    optional: bool
    qualifications: list[int]  # Ids of qualifications, not their uuids


class BuildingBlock(TypedDict):
    id: int
    uuid: str
    name: str
    block_type: Literal["atomic", "composite"]
    sub_compositions: list[BuildingBlockSubCompositionsItem]  # Composite blocks only
    allow_more: bool  # More people than positions may join
    qualification_requirements: list[BuildingBlockQualificationRequirementsItem]
    positions: list[BuildingBlockPositionsItem]  # Atomic blocks only


class CancelledEvent(TypedDict):
    id: int
    title: str
    description: str | None
    location: str
    type: EventTypeReference
    frontend_url: str
    start_time: str | None  # The earliest start of its shifts
    end_time: str | None  # The latest end of its shifts
    signup_stats: SignupStats
    shifts: list[Shift]
    state: Literal["cancelled"]
    cancelled_at: str
    cancellation_reason: str  # Participants read it


class CandidateState(TypedDict):
    value: int
    label: str


class CandidateReasonsItem(TypedDict):
    code: str
    detail: str


class CandidateWarningsItem(TypedDict):
    code: str
    detail: str


class CandidatePlacesItem(TypedDict):
    wish: str  # The value for `wish` of a sign-up
    title: str


class Candidate(TypedDict):
    type: Literal["LocalUserParticipant", "GuestParticipant", "FederatedParticipant"]
    id: int  # Of the user, guest or visitor
    user: int | None  # null for guests and visitors
    display_name: str
    participation: int | None
    state: CandidateState | None  # In this shift
    verdict: Literal["fits", "busy", "unfit"]  # `busy`: confirmed elsewhere at that time, and nothing else speaks against it
    reasons: list[CandidateReasonsItem]  # Everything that speaks against the person; empty for `fits`
    warnings: list[CandidateWarningsItem]
    places: list[CandidatePlacesItem]  # Teams or units that the person fits


class CapabilitiesCredential(TypedDict):
    kind: Literal["session", "personal_token", "application", "service_account"]
    name: str | None  # Of the token, the application or the service account; null for a session
    expires_at: str | None  # Null for a session and without an expiry


class CapabilitiesGroupsItem(TypedDict):
    id: int
    name: str


class CapabilitiesOperationsItem(TypedDict):
    operation_id: str  # As in this document
    method: str
    path: str
    allowed: bool
    reason: str | None  # The code of the problem that a request would get; null if it is allowed
    required_scope: Literal["PUBLIC_READ", "PUBLIC_WRITE", "ME_READ", "ME_WRITE", "CONFIDENTIAL_READ", "CONFIDENTIAL_WRITE", None]  # The scope that the token lacks


class Capabilities(TypedDict):
    credential: CapabilitiesCredential
    scopes: list[Literal["PUBLIC_READ", "PUBLIC_WRITE", "ME_READ", "ME_WRITE", "CONFIDENTIAL_READ", "CONFIDENTIAL_WRITE"]]
    permissions: list[str]  # Global permissions, directly or by a group
    groups: list[CapabilitiesGroupsItem]
    operations: list[CapabilitiesOperationsItem]


class CatalogueQualification(TypedDict):
    id: int
    uuid: str
    title: str
    abbreviation: str
    category: str  # Of the category
    includes: list[str]  # Everything that it includes, also through others; not itself
    category_id: int
    direct_includes: list[int]  # Ids of the qualifications that it includes directly
    valid_months: int | None  # For how many months it usually counts; null: without an end


class Change(TypedDict):
    cursor: str  # Continue after this change with `after`; also the id of the event of a stream
    kind: Literal["event", "shift", "participation", "user", "event_type", "qualification", "group", "resource", "working_hours", "waiting_list", "exchanges", "inquiries", "forecast", "attendance", "own_waiting_list", "own_exchanges", "own_inquiries", "own_attendance", "availability", "companions", "access"]  # The kind of record. `waiting_list`, `exchanges`, `inquiries`, `forecast`: of a shift, for those who may change its event; `attendance`: of an event, for the same people. `own_` and `availability`, `companions`: your own. `access`: your own groups or permissions changed, or which participations of others you see
    id: int  # The id of the record: of the shift for `waiting_list`, `exchanges`, `inquiries`, `forecast` and `companions`, of the event for `attendance`, of your entry for `own_waiting_list`, of your participation for `own_attendance`; for `own_exchanges`, `own_inquiries`, `availability` and `access` your own
    version: int  # Grows with every change of the record
    what: Literal["created", "visible", "updated", "gone"]  # `created`: the record is new; each is announced so at most once. `visible`: it existed before, and you may see it now, for example because a draft was published or an event was restored. `gone`: deleted, or you may no longer see it
    cause: str | None  # What happened, if one action concerned this record, for example `event.cancelled`; more may be added
    at: str


class ChangeWithRecord(TypedDict):
    cursor: str  # Continue after this change with `after`; also the id of the event of a stream
    kind: Literal["event", "shift", "participation", "user", "event_type", "qualification", "group", "resource", "working_hours", "waiting_list", "exchanges", "inquiries", "forecast", "attendance", "own_waiting_list", "own_exchanges", "own_inquiries", "own_attendance", "availability", "companions", "access"]  # The kind of record. `waiting_list`, `exchanges`, `inquiries`, `forecast`: of a shift, for those who may change its event; `attendance`: of an event, for the same people. `own_` and `availability`, `companions`: your own. `access`: your own groups or permissions changed, or which participations of others you see
    id: int  # The id of the record: of the shift for `waiting_list`, `exchanges`, `inquiries`, `forecast` and `companions`, of the event for `attendance`, of your entry for `own_waiting_list`, of your participation for `own_attendance`; for `own_exchanges`, `own_inquiries`, `availability` and `access` your own
    version: int  # Grows with every change of the record
    what: Literal["created", "visible", "updated", "gone"]  # `created`: the record is new; each is announced so at most once. `visible`: it existed before, and you may see it now, for example because a draft was published or an event was restored. `gone`: deleted, or you may no longer see it
    cause: str | None  # What happened, if one action concerned this record, for example `event.cancelled`; more may be added
    at: str
    record: Event | Shift | Participation | UserinfoParticipation | UserProfile | EventType | CatalogueQualification | Group | Resource | WorkingHours | WaitingList | ShiftExchanges | ShiftInquiries | ShiftForecast | Attendance | OwnWaitingEntry | OwnExchanges | OwnInquiries | OwnAttendance | Availability | Companions | None  # As the API answers the owner when the message is sent; null: the record is gone, or the owner may not read it (any more)


class Changes(TypedDict):
    next: str  # The cursor to continue with. It moves on even if there are no results
    has_more: bool  # More can be read at once
    results: list[Change]


class Comment(TypedDict):
    author: str
    text: str
    created_at: str


class CompanionsCompanionsItem(TypedDict):
    id: int  # The id of the participation
    name: str
    state: int  # As of participations


class Companions(TypedDict):
    id: int  # The id of the shift
    may_bring: int  # How many in all
    companions: list[CompanionsCompanionsItem]  # Whom you bring


class ComplexConfigurationStartingBlocksItem(TypedDict):
    uuid: NotRequired[str]  # Given by the server; send it back in changes
    building_block: int  # Of `/api/buildingblocks/`
    label: NotRequired[str | None]
    optional: NotRequired[bool | None]


class ComplexConfiguration(TypedDict):
    minimum_age: NotRequired[int | None]  # In years
    choose_preferred_unit: NotRequired[bool | None]
    starting_blocks: NotRequired[list[ComplexConfigurationStartingBlocksItem]]


class CoupledConfiguration(TypedDict):
    leader_shift_id: NotRequired[int | None]  # The shift of the event whose people take part in this one, too
    leader_shift_index: NotRequired[int]  # In a new event instead: the place of that shift in `shifts`


class DeletedEvent(TypedDict):
    id: int
    title: str
    start_time: str | None  # The earliest start of its shifts
    shift_count: int
    participation_count: int  # Requested and confirmed
    deleted_at: str
    removed_at: str  # When the event cannot be restored any more


class EligibilityState(TypedDict):
    value: int
    label: str


class EligibilitySignUpReasonsItem(TypedDict):
    code: str
    detail: str


class EligibilitySignUp(TypedDict):
    allowed: bool
    reasons: list[EligibilitySignUpReasonsItem]  # Everything that speaks against it; empty if it is allowed


class EligibilityDeclineReasonsItem(TypedDict):
    code: str
    detail: str


class EligibilityDecline(TypedDict):
    allowed: bool
    reasons: list[EligibilityDeclineReasonsItem]  # Everything that speaks against it; empty if it is allowed


class EligibilityChangeReasonsItem(TypedDict):
    code: str
    detail: str


class EligibilityChange(TypedDict):
    allowed: bool
    reasons: list[EligibilityChangeReasonsItem]  # Everything that speaks against it; empty if it is allowed


class EligibilityStateAfterSignUp(TypedDict):
    value: int
    label: str


class EligibilityNeededItem(TypedDict):
    pointer: NotRequired[str]
    code: str
    detail: str


class EligibilityWarningsItem(TypedDict):
    code: str
    detail: str


class EligibilityTimes(TypedDict):
    can_choose: bool  # Whether `start_time` and `end_time` may differ from those of the shift
    earliest: str
    latest: str
    qualified_until: str | None  # A sign-up must end by then, which is before the end of the shift


class EligibilityPlacesOptionsItem(TypedDict):
    wish: str  # The value for `wish` of a sign-up
    title: str


class EligibilityPlaces(TypedDict):
    kind: Literal["team", "unit"]
    required: bool
    wish: str | None  # The present wish or place
    options: list[EligibilityPlacesOptionsItem]
    full: list[str]  # Titles of places that are taken
    unqualified: list[str]  # Titles of places for which the caller is not qualified


class EligibilityQuestionsItem(TypedDict):
    id: int
    kind: Literal["text", "single", "multiple"]
    name: str
    text: str
    description: str
    choices: list[str]  # Empty for questions with a free text
    required: bool
    answer: str | list[str] | None  # Given or saved before; used if a sign-up does not answer the question


class Eligibility(TypedDict):
    shift: int
    event: int
    participation: int | None  # The own participation in any state
    state: EligibilityState | None
    sign_up: EligibilitySignUp
    decline: EligibilityDecline
    change: EligibilityChange  # Of times, wish, answers and comment of the own participation
    state_after_sign_up: EligibilityStateAfterSignUp | None  # null if the shift is not set up correctly
    needed: list[EligibilityNeededItem]  # Why an empty object is not enough to sign up; `pointer` is the key that is missing
    warnings: list[EligibilityWarningsItem]  # They do not prevent a sign-up
    opens_at: str | None
    closes_at: str | None
    times: EligibilityTimes
    places: EligibilityPlaces | None  # null if there is nothing to choose
    questions: list[EligibilityQuestionsItem]


class Event(TypedDict):
    id: int
    title: str
    description: str | None
    location: str
    type: EventTypeReference
    frontend_url: str
    start_time: str | None  # The earliest start of its shifts
    end_time: str | None  # The latest end of its shifts
    signup_stats: SignupStats
    shifts: list[Shift]
    participations: NotRequired[list[Participation]]  # Only with `include=participations`


class EventType(TypedDict):
    id: int
    title: str
    color: str  # Six hexadecimal digits after #
    show_participant_data: int  # Who sees the participants: 0 everybody who sees the event, 1 confirmed participants, 2 responsibles, 3 also visitors of partners
    default_description: str | None
    required_qualifications: list[int]  # Ids; participants need all of them
    visible_for_all_groups: bool  # New events are shown to all groups
    audience_groups: list[int] | None  # Ids of the groups that see new events; null without the permission to view event types
    responsible_groups: list[int] | None  # Ids of the groups that are responsible for new events; null without the permission to view event types
    responsible_users: list[int] | None  # Ids of the people who are responsible for new events; null without the permission to view event types
    archived_at: str | None  # null: offered for new events


class EventTypeReference(TypedDict):
    id: int
    title: str


class FederatedGuest(TypedDict):
    id: int
    name: str
    url: str
    client_id: str
    client_secret: str
    access_token: str  # The federation token, told this once
    host_name: str  # What the organisation of the host calls itself
    turnout: NotRequired[Literal[1]]  # Told to those that sent the same field


class FederationChangesParticipationsItem(TypedDict):
    id: int
    event: int
    event_title: str
    shift: int
    shift_label: str
    user: int  # Number of the person at home
    state: int
    start_time: str
    end_time: str
    no_show: bool


class FederationChanges(TypedDict):
    cursor: str
    is_complete: bool  # False: there is more after this cursor
    is_from_start: bool  # The list begins anew: records that it does not name are gone
    events: list[SharedEvent]
    gone_events: list[int]  # No longer shared, cancelled, deleted, or over for two weeks
    participations: list[FederationChangesParticipationsItem]
    gone_participations: list[int]


class FillProposalPlacesItemPeopleItemAlternativesItem(TypedDict):
    user: int | None  # null: without an account here
    display_name: str
    is_used: bool  # Has a shift at that time, or would exceed a limit


class FillProposalPlacesItemPeopleItem(TypedDict):
    user: int | None  # null: without an account here
    display_name: str
    is_requested: bool
    is_available: bool  # Said that this time suits them
    is_only: bool  # Nobody else could take the place
    alternatives: list[FillProposalPlacesItemPeopleItemAlternativesItem]


class FillProposalPlacesItem(TypedDict):
    label: str
    is_required: bool
    count: int  # How many people the place needs
    people: list[FillProposalPlacesItemPeopleItem]
    missing: int  # For how many nobody was found
    obstacles: dict[str, int]  # Why people considered cannot take the place, and how many of them


class FillProposal(TypedDict):
    id: int  # The id of the shift
    pool: Literal["requested", "everyone"]  # Whose people were considered: those who requested, or everyone who sees the event
    is_optimal: bool  # No other proposal is better
    places: list[FillProposalPlacesItem]


class Group(TypedDict):
    id: int
    name: str
    member_count: int
    permissions: list[str]  # Global permissions of the members
    publish_for: list[int]  # Ids of the groups for which members may publish events
    decide_hours_for: list[int]  # Ids of the groups about whose working hours members decide


class HeldQualification(TypedDict):
    id: int
    user: int
    qualification_id: int
    qualification: Qualification
    expires_at: str | None  # The last moment of its validity; null: unlimited
    is_valid: bool  # Not expired
    externally_managed: bool  # Kept by another system, which may overwrite changes


class ManualConfiguration(TypedDict):
    no_selfservice_explanation: NotRequired[str | None]


class NamedTeamsConfigurationTeamsItem(TypedDict):
    uuid: NotRequired[str]  # Given by the server; send it back in changes
    title: str
    qualification: NotRequired[int | None]  # Everybody in the team needs it
    min_count: NotRequired[int | None]  # null: 0
    max_count: NotRequired[int | None]  # null: unlimited


class NamedTeamsConfiguration(TypedDict):
    minimum_age: NotRequired[int | None]  # In years
    choose_preferred_team: NotRequired[bool | None]
    teams: NotRequired[list[NamedTeamsConfigurationTeamsItem]]


class NewWebhook(TypedDict):
    id: int
    name: str
    description: str
    url: str  # Where changes are sent: https, unless the operator permits other addresses
    kinds: list[Literal["event", "shift", "participation", "user", "event_type", "qualification", "group", "resource", "working_hours", "waiting_list", "exchanges", "inquiries", "forecast", "attendance", "own_waiting_list", "own_exchanges", "own_inquiries", "own_attendance", "availability", "companions", "access"]]  # Kinds of changes that are sent
    scopes: list[Literal["PUBLIC_READ", "ME_READ", "CONFIDENTIAL_READ"]]  # What the webhook may see, as with a token of its owner with these scopes
    include_record: bool  # Each message contains the `record` as well, as the owner may read it with these scopes when the message is sent; null if it is gone
    active: bool  # False: nothing is sent. When it is switched on again, it continues where it stopped
    owner: int  # Id of the user who made it and whose access decides what is sent
    off_reason: Literal["gone", "failing", None]  # Why it was switched off: `gone`: the receiver answered 410; `failing`: all attempts of three days failed
    off_at: str | None
    old_secret_until: str | None  # Until then, requests are signed with the secret before the last rotation, too
    created_at: str
    secret: str  # Signs the requests (Standard Webhooks). Shown only in this response


class NotificationMessage(TypedDict):
    subject: str
    text: str


class NotificationEvent(TypedDict):
    id: int
    title: str


class Notification(TypedDict):
    id: int
    kind: str  # A stable name, such as participation_state
    text: str  # What happened, in the language of the request
    comment: str | None
    message: NotificationMessage | None  # A message to participants; Markdown
    event: NotificationEvent | None
    shift: int | None
    url: str | None  # The page to open
    is_obsolete: bool  # No longer true, for example because the event is over
    created_at: str
    read_at: str | None


class NotificationChoicesKindsItem(TypedDict):
    kind: str  # As in notifications
    label: str
    mail: bool
    push: bool
    required: bool  # Cannot be switched off


class NotificationChoices(TypedDict):
    kinds: list[NotificationChoicesKindsItem]
    reminder_hours: int | None  # Before a shift; null: as the organisation chose


class OwnAttendance(TypedDict):
    id: int  # The id of the participation
    arrived_at: str | None
    left_at: str | None
    no_show: bool  # Planners have marked that you did not come


class OwnDetails(TypedDict):
    display_name: str
    phone: str | None  # In any usual form; stored as E.164
    shows_phone: bool  # Whether people of the same shifts see the number
    emergency_name: str | None  # Whom to call in an emergency
    emergency_phone: str | None  # In any usual form; stored as E.164


class OwnExchangesStandInsItem(TypedDict):
    shift: int
    state: Literal["open", "found"]
    asked: int  # How many people have been asked
    people: int  # How many people are to be asked in all
    next_at: str | None  # When the next people are asked


class OwnExchangesAskedItem(TypedDict):
    id: int
    shift: int
    label: str
    event: int
    event_title: str
    start_time: str
    end_time: str
    seeker: str  # The name of the person whose place it is
    message: str


class OwnExchangesSwapsItemProposer(TypedDict):
    user: int
    display_name: str
    shift: int
    event: int
    event_title: str
    label: str


class OwnExchangesSwapsItemOther(TypedDict):
    user: int
    display_name: str
    shift: int
    event: int
    event_title: str
    label: str


class OwnExchangesSwapsItem(TypedDict):
    id: int
    state: Literal["open", "accepted", "declined", "withdrawn", "done", "expired", "refused", "undone"]  # accepted: the other person agrees, and planners decide
    expires_at: str
    proposer: OwnExchangesSwapsItemProposer | None  # Whose place in which shift; null: in an event that the caller does not see
    other: OwnExchangesSwapsItemOther | None  # Whose place in which shift; null: in an event that the caller does not see


class OwnExchanges(TypedDict):
    stand_ins: list[OwnExchangesStandInsItem]  # Searches that go on for your places
    asked: list[OwnExchangesAskedItem]  # Searches of others that wait for your answer
    swaps: list[OwnExchangesSwapsItem]  # Proposals from and to you that are not decided


class OwnInquiriesInquiriesItem(TypedDict):
    id: int
    shift: int
    label: str
    event: int
    event_title: str
    start_time: str
    end_time: str
    message: str
    asked_by: str | None  # null: a former planner
    answers_until: str  # When sign-up ends


class OwnInquiries(TypedDict):
    inquiries: list[OwnInquiriesInquiriesItem]  # The earliest shift first


class OwnPicture(TypedDict):
    content_type: str | None  # null: there is no picture
    data: str | None  # The picture in base64


class OwnWaitingEntry(TypedDict):
    id: int
    shift: int
    label: str
    event: int
    event_title: str
    start_time: str
    end_time: str
    state: Literal["waiting", "offered", "accepted", "declined", "expired", "withdrawn"]
    position: int | None  # 1 is the first; null: the person does not wait any more
    since: str
    offered_until: str | None  # Until when an offered place is held


class ParticipationState(TypedDict):
    value: int
    label: str


class ParticipationParticipant(TypedDict):
    display_name: str
    is_minor: bool
    type: Literal["LocalUserParticipant", "GuestParticipant", "FederatedParticipant", "PlaceholderParticipant"]
    qualifications: list[Qualification]


class Participation(TypedDict):
    id: int
    shift: int
    event: int
    event_title: str
    event_type: EventTypeReference
    state: ParticipationState
    start_time: str  # Individual, or else of the shift
    end_time: str
    duration: float  # Seconds between the two
    structure_data: dict[str, Any]
    user: int | None  # null for guests, visitors and placeholders
    participant: ParticipationParticipant


class PlannedEvent(TypedDict):
    id: int
    state: Literal["draft", "published", "cancelled"]
    groups: list[int]  # Ids of the groups that see the event
    responsible_groups: list[int]  # Ids of the groups whose members may change the event
    responsible_users: list[int]  # Ids of the people who may change the event


class PlannedShift(TypedDict):
    id: int
    questions: list[int]  # Ids of the questions that are asked at sign-up


class ProblemErrorsItem(TypedDict):
    parameter: NotRequired[str]  # The query parameter
    pointer: NotRequired[str]  # The place in the body, a JSON pointer; empty for the whole body
    code: Literal["invalid_type", "invalid_format", "invalid_value", "invalid_union", "invalid_choice", "invalid_key", "invalid_text", "too_small", "too_big", "not_multiple_of", "unrecognized_keys", "unknown_parameter", "unknown_result", "name_locked", "custom", "missing", "invalid_element", "invalid_time", "ambiguous_time", "null_character", "too_many_values", "unknown_field", "invalid_cursor", "cursor_with_offset", "one_line", "invalid", "unreadable", "not_a_date", "wrong_weekday", "not_a_time", "not_a_deadline", "skipped", "ambiguous", "too_long", "not_one_line", "not_a_number", "too_many_companions", "min_above_max", "meeting_after_start", "end_before_start", "no_team", "no_requirement", "no_block", "no_leader", "leads_others", "opens_after_closing", "unknown_person", "unknown_group", "unknown_type", "unknown_flow", "unknown_structure", "unknown_qualification", "unknown_block", "unknown_question", "duplicate_uuid", "not_publishable", "no_shift", "last_shift", "too_many_questions", "too_many_dates", "no_dates", "series_too_long", "in_use", "no_target", "unknown_choice", "audience_missing", "unseen_shifts", "cycle", "name_missing", "no_parts", "no_positions", "requirement_empty", "at_least_many", "at_least_wrong", "too_large", "too_many_rows", "event_not_active", "event_cancelled", "configuration_broken", "already_in", "already_declined", "rejected", "may_not_leave", "not_in", "no_self_service", "follows_other_shift", "leader_missing", "not_open_yet", "closed", "type_not_qualified", "not_qualified", "age_unknown", "too_young", "qualified_until", "conflict", "partial_conflict", "limit_rest", "limit_week", "limit_nights", "limit_minor_day", "limit_minor_hour", "limit_minor_alone", "added_rule", "full", "wish_needed", "wish_not_offered", "answers_needed", "answer_missing", "answer_too_long", "answer_not_offered", "answer_not_asked", "times_fixed", "times_in_wrong_order", "times_outside", "times_unreadable", "times_skipped", "times_ambiguous", "target_unknown", "already_there", "person_unknown", "account_closed", "name_empty", "name_long", "comment_long", "reason_needed", "who_unclear", "needed", "nothing_to_undo", "undo_late", "undo_changed", "email_invalid", "email_missing", "email_needed", "email_taken", "email_locked", "username_invalid", "username_taken", "day_invalid", "date_of_birth_future", "groups_locked", "groups_unknown", "is_staff_locked", "is_staff_last", "is_visible_locked", "administrator", "last_administrator", "inactive", "no_sign_in", "self", "already_held", "bundles_unknown", "targets_unknown", "title_missing", "rank_wrong", "no_category", "unknown_included", "valid_months_wrong", "amount_invalid", "date_invalid", "reason_missing", "picture_large", "past", "changed_meanwhile", "date_future", "decided", "own", "external", "unknown", "bundles_last", "always_sent", "other_kind", "no_name", "no_kind", "no_scope", "long_name", "long_description", "long_url", "unknown_kind", "unknown_scope", "scope_not_held", "scope_missing", "not_a_url", "not_https", "not_public", "too_many", "still_waiting", "invalid_code", "expired_code", "picture_missing", "picture_type", "picture_unreadable", "picture_pixels", "picture_heic", "phone_invalid", "message_long", "reason_long", "line_off", "line_closed", "not_full", "waiting_already", "not_waiting", "needs_form", "expired", "withdrawn", "too_late", "enough", "filled", "gone", "off", "no_place", "begun", "searching", "not_searching", "no_taker", "other_cannot", "swap_gone", "swap_expired", "nobody", "not_open", "ended", "too_early", "not_confirmed", "order", "name_taken", "moved", "bad_request", "invalid_input", "not_authenticated", "invalid_token", "permission_denied", "insufficient_scope", "network_not_allowed", "origin_not_allowed", "csrf_failed", "recent_sign_in_required", "not_found", "method_not_allowed", "not_acceptable", "request_timeout", "refused", "batch_failed", "precondition_failed", "uri_too_long", "unsupported_media_type", "misdirected_request", "idempotency_key_reused", "precondition_required", "too_many_requests", "headers_too_large", "internal_error", "unavailable"] | str  # Stable; the catalogue of problems explains each. In a batch, that of the problem of the write. New ones can be added.
    detail: str


class Problem(TypedDict):
    type: str  # The code as a URN; the header `Link` with `rel="help"` leads to its explanation
    title: str
    status: int
    detail: str
    code: Literal["moved", "bad_request", "invalid_input", "not_authenticated", "invalid_token", "permission_denied", "insufficient_scope", "network_not_allowed", "origin_not_allowed", "csrf_failed", "recent_sign_in_required", "not_found", "method_not_allowed", "not_acceptable", "request_timeout", "refused", "conflict", "batch_failed", "precondition_failed", "gone", "too_large", "uri_too_long", "unsupported_media_type", "misdirected_request", "idempotency_key_reused", "precondition_required", "too_many_requests", "headers_too_large", "internal_error", "unavailable"]
    request_id: str  # Quote it when you ask for help
    required_scope: NotRequired[Literal["PUBLIC_READ", "PUBLIC_WRITE", "ME_READ", "ME_WRITE", "CONFIDENTIAL_READ", "CONFIDENTIAL_WRITE"]]  # With insufficient_scope: the scope that the token lacks
    next: NotRequired[str]  # With `gone`: the cursor to go on with, after reading the lists again
    location: NotRequired[str]  # With `moved`: the address to send the request to
    errors: NotRequired[list[ProblemErrorsItem]]  # Every input that is not valid
    results: NotRequired[list[dict[str, Any]]]  # Of a batch: the result of each write


class Qualification(TypedDict):
    uuid: str
    title: str
    abbreviation: str
    category: str  # Of the category
    includes: list[str]  # Everything that it includes, also through others; not itself


class QualificationCategory(TypedDict):
    id: int
    uuid: str
    title: str
    show_with_user: bool  # Whether its qualifications are shown next to names
    rank: int  # Order on pages; equal ranks by title


class QualificationMixConfigurationQualificationRequirementsItem(TypedDict):
    qualification: NotRequired[int | None]
    min_count: NotRequired[int | None]  # null: 0
    max_count: NotRequired[int | None]  # null: unlimited


class QualificationMixConfiguration(TypedDict):
    minimum_age: NotRequired[int | None]  # In years
    qualification_requirements: NotRequired[list[QualificationMixConfigurationQualificationRequirementsItem]]


class RemovedShift(TypedDict):
    id: int
    event_id: int
    event_title: str
    label: str
    start_time: str
    end_time: str
    state: Literal["cancelled", "deleted"]
    reason: str | None  # Of a cancelled shift. Participants read it
    removed_at: str
    restorable_until: str | None  # null: as long as the event exists


class ReportShiftsItem(TypedDict):
    month: str | None  # The first day of the month within the period; null: all months
    type: int | None  # The id of an event type; null: all types
    events: int
    shifts: int
    needed: int  # Places that the shifts need
    missing: int  # Needed places that nobody filled
    short: int  # Shifts with missing people


class ReportWorkItem(TypedDict):
    month: str | None  # The first day of the month within the period; null: all months
    type: int | None  # The id of an event type; null: all types
    hours: float
    places: int  # Confirmed participations that were kept
    people: int


class ReportReliabilityItem(TypedDict):
    month: str | None  # The first day of the month within the period; null: all months
    kept: int
    declined: int  # After they had been confirmed
    late: int  # Of these, within 48 hours before the start
    absent: int  # Without declining


class ReportPeopleItem(TypedDict):
    user: int
    display_name: str
    shifts: int
    hours: float
    declined: int
    late: int
    absent: int


class Report(TypedDict):
    first_day: str
    last_day: str  # Included
    shifts: list[ReportShiftsItem]
    work: list[ReportWorkItem]
    reliability: list[ReportReliabilityItem]
    people: list[ReportPeopleItem]  # People whose hours the caller sees, those with the most hours first
    has_more_people: bool


class Request(TypedDict):
    id: int
    kind: str  # `working_hours`, `qualification`, `joining` or `profile`
    user: int  # Who asks
    state: Literal["open", "granted", "failed", "refused"]
    text: str  # What the person asks for
    comment: str  # Of the decision
    created_at: str
    decided_at: str | None


class Resource(TypedDict):
    id: int
    title: str
    category: ResourceCategory


class ResourceCategory(TypedDict):
    id: int
    name: str


class SelfServiceConfiguration(TypedDict):
    signup_from: NotRequired[str | None]  # A date-time or null; in writes also an ISO 8601 duration before the start
    signup_until: NotRequired[str | None]  # A date-time or null; in writes also an ISO 8601 duration before the start
    signup_from_rule: NotRequired[str | None]  # The duration before the start from which `signup_from` follows
    signup_until_rule: NotRequired[str | None]  # The duration before the start from which `signup_until` follows
    user_can_decline_confirmed: NotRequired[bool | None]
    user_can_customize_signup_times: NotRequired[bool | None]
    late_change_asks_again: NotRequired[str | None]  # From then on a change of a confirmed person is a request again; as `signup_until`. Of `request_confirm`
    user_can_bring: NotRequired[int | None]  # How many others each person may bring


class SharedEvent(TypedDict):
    id: int
    title: str
    description: str | None
    location: str
    type: EventTypeReference
    start_time: str | None  # The earliest start of its shifts
    end_time: str | None  # The latest end of its shifts
    signup_url: str  # Where people of the partner sign up


class Shift(TypedDict):
    id: int
    label: str
    event_id: int
    event_title: str
    meeting_time: str
    start_time: str
    end_time: str
    signup_flow_slug: str  # instant_confirmation, request_confirm, manual, coupled, or another
    signup_flow_configuration: SelfServiceConfiguration | ManualConfiguration | CoupledConfiguration | dict[str, Any]  # Depends on the flow.
    structure_slug: str  # uniform, qualification_mix, named_teams, complex, or another
    structure_configuration: UniformConfiguration | NamedTeamsConfiguration | QualificationMixConfiguration | ComplexConfiguration | dict[str, Any]  # Depends on the structure.
    signup_stats: SignupStats
    participations: NotRequired[list[Participation]]  # Only with `include=participations`


class ShiftExchangesStandInsItem(TypedDict):
    id: int
    user: int  # Who looks for somebody
    display_name: str
    state: Literal["open", "found", "cancelled", "done", "expired", "refused", "undone"]  # found: somebody wants the place, and planners decide
    asked: int  # How many people have been asked
    people: int  # How many people are to be asked in all
    taken_by: str | None  # The name of who has the place now, or wants it


class ShiftExchangesSwapsItemProposer(TypedDict):
    user: int
    display_name: str
    shift: int
    event: int
    event_title: str
    label: str


class ShiftExchangesSwapsItemOther(TypedDict):
    user: int
    display_name: str
    shift: int
    event: int
    event_title: str
    label: str


class ShiftExchangesSwapsItem(TypedDict):
    id: int
    state: Literal["open", "accepted", "declined", "withdrawn", "done", "expired", "refused", "undone"]  # accepted: the other person agrees, and planners decide
    expires_at: str
    proposer: ShiftExchangesSwapsItemProposer | None  # Whose place in which shift; null: in an event that the caller does not see
    other: ShiftExchangesSwapsItemOther | None  # Whose place in which shift; null: in an event that the caller does not see


class ShiftExchanges(TypedDict):
    id: int  # The id of the shift
    stand_ins: list[ShiftExchangesStandInsItem]  # The newest first
    swaps: list[ShiftExchangesSwapsItem]  # The newest first


class ShiftForecastForecast(TypedDict):
    will_stay_short: bool  # It will probably lack people when it begins
    usual_percent: int  # Percent of the needed people who had usually signed up by now in similar shifts
    low: int  # So many people or more will be confirmed in four of five cases
    middle: int  # The most probable number of confirmed people when it begins
    high: int  # More people than these will be confirmed in one of five cases
    compared_with: int  # The number of past shifts of the same type that it is compared with


class ShiftForecast(TypedDict):
    id: int  # The id of the shift
    forecast: ShiftForecastForecast | None  # null: the shift has as many people as it needs, begins within a day or in more than six weeks, or there are too few similar shifts


class ShiftInquiriesInquiriesItemPeopleItem(TypedDict):
    user: int
    display_name: str
    asked_at: str | None  # null: not asked yet
    withdrawn_at: str | None  # Since when the person is not needed any more
    answer: Literal["can", "cannot", "too_late", None]  # By the link, or by signing up or declining; null: no answer yet
    answered_at: str | None
    reason: str  # What the person wrote with the answer


class ShiftInquiriesInquiriesItem(TypedDict):
    id: int
    created_at: str
    message: str
    wanted: int  # It ends when so many can
    next_wave_at: str | None  # When the next people are asked
    ended_at: str | None
    end_reason: Literal["stopped", "enough", "cancelled", "closed", "everybody", None]
    people: list[ShiftInquiriesInquiriesItemPeopleItem]  # In the order in which they are asked


class ShiftInquiries(TypedDict):
    id: int  # The id of the shift
    answers_until: str  # When sign-up ends, as it is now, and links stop to count
    inquiries: list[ShiftInquiriesInquiriesItem]  # The newest first


class ShortagesShortagesItemForecast(TypedDict):
    will_stay_short: bool  # It will probably lack people when it begins
    usual_percent: int  # Percent of the needed people who had usually signed up by now in similar shifts
    low: int  # So many people or more will be confirmed in four of five cases
    middle: int  # The most probable number of confirmed people when it begins
    high: int  # More people than these will be confirmed in one of five cases
    compared_with: int  # The number of past shifts of the same type that it is compared with


class ShortagesShortagesItem(TypedDict):
    shift: int
    label: str
    event: int
    event_title: str
    start_time: str
    end_time: str
    missing: int  # The most people who are missing at the same time
    signs_up: bool  # People sign up themselves
    closes_at: str | None  # Until when they do
    forecast: ShortagesShortagesItemForecast | None  # null: the shift has as many people as it needs, begins within a day or in more than six weeks, or there are too few similar shifts


class Shortages(TypedDict):
    has_more: bool  # There are more than are listed; ask for a shorter time
    shortages: list[ShortagesShortagesItem]  # By start


class SignupStats(TypedDict):
    requested_count: int
    confirmed_count: int
    missing: int
    free: int | None  # null: unlimited
    min_count: int | None
    max_count: int | None  # null: unlimited


class SwapPlacesPlacesItem(TypedDict):
    id: int  # For `place` of a proposal
    user: int
    display_name: str
    shift: int
    label: str
    event: int
    event_title: str
    location: str
    start_time: str
    end_time: str


class SwapPlaces(TypedDict):
    id: int  # The id of the shift
    places: list[SwapPlacesPlacesItem]  # Those that you could have, whose people could have yours; the earliest first


class UniformConfiguration(TypedDict):
    minimum_age: NotRequired[int | None]  # In years
    minimum_number_of_participants: NotRequired[int | None]  # null: 0
    maximum_number_of_participants: NotRequired[int | None]  # null: unlimited
    required_qualification_ids: NotRequired[list[int] | None]  # Everybody needs all of them


class UserProfile(TypedDict):
    id: int
    display_name: str
    date_of_birth: str | None
    email: str
    qualifications: list[Qualification]  # Granted and not expired


class UserinfoParticipationState(TypedDict):
    value: int
    label: str


class UserinfoParticipationParticipant(TypedDict):
    display_name: str
    is_minor: bool
    type: Literal["LocalUserParticipant", "GuestParticipant", "FederatedParticipant", "PlaceholderParticipant"]
    qualifications: list[Qualification]
    email: str | None
    date_of_birth: str | None
    age: int | None


class UserinfoParticipation(TypedDict):
    id: int
    shift: int
    event: int
    event_title: str
    event_type: EventTypeReference
    state: UserinfoParticipationState
    comments: list[Comment]  # Oldest first; those that the caller may see
    start_time: str  # Individual, or else of the shift
    end_time: str
    duration: float  # Seconds between the two
    structure_data: dict[str, Any]
    user: int | None  # null for guests, visitors and placeholders
    participant: UserinfoParticipationParticipant


class VisitorParticipation(TypedDict):
    event: int
    shift: int
    shift_label: str
    user: int  # Number of the person at home
    state: int
    start_time: str
    end_time: str


class WaitingListEntriesItem(TypedDict):
    id: int
    user: int
    display_name: str
    state: Literal["waiting", "offered", "accepted", "declined", "expired", "withdrawn"]
    since: str
    offered_until: str | None  # Until when an offered place is held
    passed_over: str | None  # Why others got a place first: a reason against a sign-up, or not_available


class WaitingList(TypedDict):
    id: int  # Of the shift
    mode: Literal["automatic", "manual", "closed"]  # automatic: free places are offered in order; manual: by planners
    entries: list[WaitingListEntriesItem]  # Those who wait come first, in their order


class Webhook(TypedDict):
    id: int
    name: str
    description: str
    url: str  # Where changes are sent: https, unless the operator permits other addresses
    kinds: list[Literal["event", "shift", "participation", "user", "event_type", "qualification", "group", "resource", "working_hours", "waiting_list", "exchanges", "inquiries", "forecast", "attendance", "own_waiting_list", "own_exchanges", "own_inquiries", "own_attendance", "availability", "companions", "access"]]  # Kinds of changes that are sent
    scopes: list[Literal["PUBLIC_READ", "ME_READ", "CONFIDENTIAL_READ"]]  # What the webhook may see, as with a token of its owner with these scopes
    include_record: bool  # Each message contains the `record` as well, as the owner may read it with these scopes when the message is sent; null if it is gone
    active: bool  # False: nothing is sent. When it is switched on again, it continues where it stopped
    owner: int  # Id of the user who made it and whose access decides what is sent
    off_reason: Literal["gone", "failing", None]  # Why it was switched off: `gone`: the receiver answered 410; `failing`: all attempts of three days failed
    off_at: str | None
    old_secret_until: str | None  # Until then, requests are signed with the secret before the last rotation, too
    created_at: str


class WebhookDelivery(TypedDict):
    id: int
    message_id: str  # The header `webhook-id`: the cursor of the change
    kind: str  # Kind of the record, or `test`
    record_id: int
    what: str
    state: Literal["waiting", "delivered", "failed", "skipped", "refused"]  # `waiting`: attempted again later. `failed`: a test, or one that was sent again, was not accepted. `skipped`: the owner may no longer see the record. `refused`: the receiver refused it five times, so the next changes were sent
    attempts: int
    status: int | None  # Of the last response
    error: str | None  # Why there was no response, for example `too_slow`
    duration_ms: int | None  # Of the last attempt
    created_at: str
    attempted_at: str | None


class WorkingHours(TypedDict):
    id: int
    user: int
    date: str
    hours: float  # With at most two decimals
    reason: str


class WorkingHoursRequest(TypedDict):
    id: int
    date: str | None  # null if an imported request has none
    hours: float | None
    reason: str
    state: Literal["open", "granted", "failed", "refused", "withdrawn"]
    comment: str  # Of the person who decided
    created_at: str
    decided_at: str | None


class Written(TypedDict):
    id: NotRequired[int]  # Of the record, if it has one
    version: NotRequired[str]  # The ETag of the record, for If-Match; not in dry runs


class EventsCreateBodyShiftsItem(TypedDict):
    start_time: str
    end_time: str  # After the start
    label: NotRequired[str]
    meeting_time: NotRequired[str | None]  # null: the start
    signup_flow_slug: NotRequired[Literal["request_confirm", "instant_confirmation", "manual", "coupled"]]
    signup_flow_configuration: NotRequired[SelfServiceConfiguration | ManualConfiguration | CoupledConfiguration]  # Depends on the flow. signup_from_rule and signup_until_rule, as records show them, replace signup_from and signup_until. Keys that are absent keep their values, unless the flow changes.
    structure_slug: NotRequired[Literal["uniform", "named_teams", "qualification_mix", "complex"]]
    structure_configuration: NotRequired[UniformConfiguration | NamedTeamsConfiguration | QualificationMixConfiguration | ComplexConfiguration]  # Depends on the structure. Teams and starting blocks without a uuid get one. Keys that are absent keep their values, unless the structure changes.
    questions: NotRequired[list[int]]  # Ids of the questions that are asked at sign-up


class EventsCreateBody(TypedDict):
    title: str
    location: str
    type: int  # The id of an event type that is not archived
    description: NotRequired[str | None]
    guests_see_names: NotRequired[bool]
    groups: NotRequired[list[int]]  # Ids of the groups that see the event. You may publish for each of them, or it sees the event already. Groups that you may not publish for stay.
    responsible_groups: NotRequired[list[int]]  # Ids of the groups whose members may change the event
    responsible_users: NotRequired[list[int]]  # Ids of the people who may change the event
    shifts: NotRequired[list[EventsCreateBodyShiftsItem]]  # A coupled shift names its leader by leader_shift_index, the index in this list.
    publish: NotRequired[bool]  # Otherwise the event is a draft


class EventsUpdateBody(TypedDict):
    title: NotRequired[str]
    description: NotRequired[str | None]
    location: NotRequired[str]
    guests_see_names: NotRequired[bool]
    type: NotRequired[int]  # The id of an event type that is not archived
    groups: NotRequired[list[int]]  # Ids of the groups that see the event. You may publish for each of them, or it sees the event already. Groups that you may not publish for stay.
    responsible_groups: NotRequired[list[int]]  # Ids of the groups whose members may change the event
    responsible_users: NotRequired[list[int]]  # Ids of the people who may change the event


class EventsCancelCreateBody(TypedDict):
    reason: str  # Participants read it


class EventsDuplicateCreateAnswer(TypedDict):
    ids: list[int]  # Of the drafts, in the order of their dates


class EventsDuplicateCreateBodyRecurrence(TypedDict):
    first: str
    every: Literal["day", "week", "month"]
    interval: NotRequired[int]
    times: NotRequired[int]  # How many dates, with the first
    until: NotRequired[str]  # The last possible date


class EventsDuplicateCreateBody(TypedDict):
    dates: NotRequired[list[str]]
    recurrence: NotRequired[EventsDuplicateCreateBodyRecurrence]  # Adds the dates of a rule


class EventsAttendanceCreateBodyMarksItem(TypedDict):
    participation: int
    mark: Literal["arrived", "left", "no_show", "none"]  # none: takes back what was marked
    at: NotRequired[str]  # Of arriving and leaving; now, if absent or in the future


class EventsAttendanceCreateBody(TypedDict):
    marks: list[EventsAttendanceCreateBodyMarksItem]


class ShiftsUpdateBody(TypedDict):
    label: NotRequired[str]
    meeting_time: NotRequired[str | None]  # null: the start
    start_time: NotRequired[str]
    end_time: NotRequired[str]  # After the start
    signup_flow_slug: NotRequired[Literal["request_confirm", "instant_confirmation", "manual", "coupled"]]
    signup_flow_configuration: NotRequired[SelfServiceConfiguration | ManualConfiguration | CoupledConfiguration]  # Depends on the flow. signup_from_rule and signup_until_rule, as records show them, replace signup_from and signup_until. Keys that are absent keep their values, unless the flow changes.
    structure_slug: NotRequired[Literal["uniform", "named_teams", "qualification_mix", "complex"]]
    structure_configuration: NotRequired[UniformConfiguration | NamedTeamsConfiguration | QualificationMixConfiguration | ComplexConfiguration]  # Depends on the structure. Teams and starting blocks without a uuid get one. Keys that are absent keep their values, unless the structure changes.
    questions: NotRequired[list[int]]  # Ids of the questions that are asked at sign-up


class ShiftsStandInsDecideCreateBody(TypedDict):
    agrees: bool


class ShiftsSwapsDecideCreateBody(TypedDict):
    agrees: bool


class EventsShiftsCreateBody(TypedDict):
    start_time: str
    end_time: str  # After the start
    label: NotRequired[str]
    meeting_time: NotRequired[str | None]  # null: the start
    signup_flow_slug: NotRequired[Literal["request_confirm", "instant_confirmation", "manual", "coupled"]]
    signup_flow_configuration: NotRequired[SelfServiceConfiguration | ManualConfiguration | CoupledConfiguration]  # Depends on the flow. signup_from_rule and signup_until_rule, as records show them, replace signup_from and signup_until. Keys that are absent keep their values, unless the flow changes.
    structure_slug: NotRequired[Literal["uniform", "named_teams", "qualification_mix", "complex"]]
    structure_configuration: NotRequired[UniformConfiguration | NamedTeamsConfiguration | QualificationMixConfiguration | ComplexConfiguration]  # Depends on the structure. Teams and starting blocks without a uuid get one. Keys that are absent keep their values, unless the structure changes.
    questions: NotRequired[list[int]]  # Ids of the questions that are asked at sign-up


class ShiftsCancelCreateBody(TypedDict):
    reason: str  # Participants read it


class ShiftsDuplicateCreateAnswer(TypedDict):
    ids: list[int]  # Of the shifts, in the order of their dates


class ShiftsDuplicateCreateBodyRecurrence(TypedDict):
    first: str
    every: Literal["day", "week", "month"]
    interval: NotRequired[int]
    times: NotRequired[int]  # How many dates, with the first
    until: NotRequired[str]  # The last possible date


class ShiftsDuplicateCreateBody(TypedDict):
    dates: NotRequired[list[str]]
    recurrence: NotRequired[ShiftsDuplicateCreateBodyRecurrence]  # Adds the dates of a rule


class ShiftsInquiriesCreateBodyWaves(TypedDict):
    size: int  # How many at a time
    hours: int  # Until the next ones are asked


class ShiftsInquiriesCreateBody(TypedDict):
    people: NotRequired[list[int]]  # Ids of those to ask, in their order
    count: NotRequired[int]  # How many to ask of those who fit and come next, 1 by default; not together with `people`
    wanted: NotRequired[int]  # It ends when so many can, 1 by default
    waves: NotRequired[ShiftsInquiriesCreateBodyWaves]  # Absent: everybody at once
    message: NotRequired[str]


class ParticipationsUpdateBody(TypedDict):
    state: NotRequired[Literal[0, 1, 2, 3]]  # 0: requested, 1: confirmed, 2: declined by the person, 3: rejected by a responsible
    start_time: NotRequired[str | None]  # Individual start; null: the start of the shift
    end_time: NotRequired[str | None]  # Individual end; null: the end of the shift
    place: NotRequired[str]  # Team or unit of the shift, as `structure_data` of its participations names it; empty: assigned by the structure
    comment: NotRequired[str]  # Added to the participation
    comment_is_hidden: NotRequired[bool]  # Only responsibles see the comment


class ShiftsParticipationsCreateBody(TypedDict):
    user: NotRequired[int]  # Id of the person
    placeholder: NotRequired[str]  # Instead of a person: a name
    state: NotRequired[Literal[0, 1, 2, 3]]  # 0: requested, 1: confirmed, 2: declined by the person, 3: rejected by a responsible
    start_time: NotRequired[str | None]  # Individual start; null: the start of the shift
    end_time: NotRequired[str | None]  # Individual end; null: the end of the shift
    place: NotRequired[str]  # Team or unit of the shift, as `structure_data` of its participations names it; empty: assigned by the structure
    comment: NotRequired[str]  # Added to the participation
    comment_is_hidden: NotRequired[bool]  # Only responsibles see the comment


class ParticipationsCommentsCreateBody(TypedDict):
    text: str
    hide_from_participant: NotRequired[bool]  # Only responsibles see the comment


class UsersCreateBody(TypedDict):
    display_name: str
    email: str
    date_of_birth: NotRequired[str | None]
    phone: NotRequired[str | None]  # In any usual form; stored as E.164
    language: NotRequired[Literal["en", "de", "es", "fr", "it", "nl", "pl", "uk"]]  # Of mails and pages
    groups: NotRequired[list[int]]  # Ids. Without `change_group`, callers assign and remove only the groups that they are in; other groups stay


class UsersUpdateBody(TypedDict):
    display_name: NotRequired[str]
    email: NotRequired[str]
    date_of_birth: NotRequired[str | None]
    phone: NotRequired[str | None]  # In any usual form; stored as E.164
    language: NotRequired[Literal["en", "de", "es", "fr", "it", "nl", "pl", "uk"]]  # Of mails and pages
    groups: NotRequired[list[int]]  # Ids. Without `change_group`, callers assign and remove only the groups that they are in; other groups stay


class UsersMeUpdateBody(TypedDict):
    language: NotRequired[Literal["en", "de", "es", "fr", "it", "nl", "pl", "uk"]]


class UsersMeDetailsUpdateBody(TypedDict):
    display_name: NotRequired[str]
    phone: NotRequired[str | None]  # In any usual form; stored as E.164
    shows_phone: NotRequired[bool]  # Whether people of the same shifts see the number
    emergency_name: NotRequired[str | None]  # Whom to call in an emergency
    emergency_phone: NotRequired[str | None]  # In any usual form; stored as E.164


class UsersQualificationsCreateBody(TypedDict):
    qualification_id: int
    until: NotRequired[str | None]  # The last day of its validity, in the time zone of the instance; null: unlimited


class UsersQualificationsUpdateBody(TypedDict):
    until: str | None  # The last day of its validity, in the time zone of the instance; null: unlimited


UsersMeAvailabilityUpdateBodyWeeklyItem = TypedDict("UsersMeAvailabilityUpdateBodyWeeklyItem", {
    "kind": "Literal[\"cannot\", \"can\"]",
    "weekday": "int",
    "from": "str",
    "until": "str",
})


class UsersMeAvailabilityUpdateBodyDaysItem(TypedDict):
    kind: Literal["cannot", "can"]
    first: str
    last: str  # Not before `first`


class UsersMeAvailabilityUpdateBody(TypedDict):
    weekly: NotRequired[list[UsersMeAvailabilityUpdateBodyWeeklyItem]]  # Times of every week
    days: NotRequired[list[UsersMeAvailabilityUpdateBodyDaysItem]]  # Whole days, without those that are over. They replace the weekly times


class UsersMeParticipationsUpdateBody(TypedDict):
    start_time: NotRequired[str | None]  # Individual start; null: the start of the shift
    end_time: NotRequired[str | None]  # Individual end; null: the end of the shift
    wish: NotRequired[str | None]  # Team or unit as `places` of the eligibility names it; null: no preference
    answers: NotRequired[dict[str, str | list[str] | None]]  # Answers by the id of the question, as the eligibility lists them; null or an empty text: no answer
    save_answers: NotRequired[bool]  # Suggest the answers in later sign-ups
    comment: NotRequired[str]
    comment_is_public: NotRequired[bool]  # Other participants see the comment, too


class UsersMePictureUpdateBody(TypedDict):
    data: str | None  # PNG, JPEG or WebP in base64, about 6 MB at most; null removes the picture


class UsersMeWorkingHoursCreateBody(TypedDict):
    date: str  # Not in the future
    hours: float
    reason: str


class UsersMeNotificationChoicesUpdateBodyKindsItem(TypedDict):
    kind: Literal["participation_state", "participation_times", "shift_moved", "event_called_off", "reminder", "inquiry", "place_offered", "stand_in_wanted", "stand_in_result", "swap_proposed", "swap_result", "event_published", "event_message", "profile_changed", "account_security", "guardianship_ending", "guardianship_ended", "request_decided", "qualification_received", "qualification_expiring", "participation_request", "participation_change", "participation_decline", "participation_given_up", "place_lapsed", "stand_in_report", "swap_report", "participation_own_times", "programme_changed", "request_created", "weekly_shortages", "webhook_off"] | str
    mail: NotRequired[bool]
    push: NotRequired[bool]


class UsersMeNotificationChoicesUpdateBody(TypedDict):
    kinds: NotRequired[list[UsersMeNotificationChoicesUpdateBodyKindsItem]]  # Kinds that are absent stay as they are
    reminder_hours: NotRequired[int | None]  # Before a shift; null: as the organisation chose


class UsersMeNotificationsReadAllCreateBody(TypedDict):
    up_to: NotRequired[int]  # The newest one that was shown; absent: all of them


class ShiftsSignupCreateBody(TypedDict):
    start_time: NotRequired[str | None]  # Individual start; null: the start of the shift
    end_time: NotRequired[str | None]  # Individual end; null: the end of the shift
    wish: NotRequired[str | None]  # Team or unit as `places` of the eligibility names it; null: no preference
    answers: NotRequired[dict[str, str | list[str] | None]]  # Answers by the id of the question, as the eligibility lists them; null or an empty text: no answer
    save_answers: NotRequired[bool]  # Suggest the answers in later sign-ups
    comment: NotRequired[str]
    comment_is_public: NotRequired[bool]  # Other participants see the comment, too


class ShiftsDeclineCreateBody(TypedDict):
    comment: NotRequired[str]


class ShiftsCompanionsUpdateBodyCompanionsItem(TypedDict):
    id: NotRequired[int]  # Of somebody in the list; absent: another person
    name: NotRequired[str]  # Absent or empty: without a name


class ShiftsCompanionsUpdateBody(TypedDict):
    companions: list[ShiftsCompanionsUpdateBodyCompanionsItem]  # The whole list: who is not in it leaves


class ShiftsStandInCreateBody(TypedDict):
    message: NotRequired[str]  # To those who are asked
    size: NotRequired[int]  # How many people are asked at a time, 5 by default
    first: NotRequired[list[int]]  # Ids of people whom you know, who are asked first


class UsersMeStandInsAnswerCreateBody(TypedDict):
    answer: Literal["yes", "no"]


class ShiftsSwapCreateBody(TypedDict):
    place: int  # Of `swap-places`
    message: NotRequired[str]  # To the other person


class UsersMeSwapsAnswerCreateBody(TypedDict):
    answer: Literal["yes", "no"]


class UsersMeParticipationsAttendanceCreateBody(TypedDict):
    mark: Literal["arrived", "left"]


class UsersMeInquiriesAnswerCreateBody(TypedDict):
    answer: Literal["can", "cannot"]
    reason: NotRequired[str]  # To the planners, if you cannot


class BuildingblocksCreateBodyPositionsItem(TypedDict):
    id: NotRequired[int]  # Of a row that stays; without it, the row is new
    label: NotRequired[str]
    optional: NotRequired[bool]
    qualifications: NotRequired[list[int]]


class BuildingblocksCreateBodySubCompositionsItem(TypedDict):
    id: NotRequired[int]  # Of a row that stays; without it, the row is new
    label: NotRequired[str]
    optional: NotRequired[bool]
    sub_block: str  # The uuid of the block that stands here


class BuildingblocksCreateBodyQualificationRequirementsItem(TypedDict):
    id: NotRequired[int]  # Of a row that stays; without it, the row is new
    qualifications: list[int]
    everyone: NotRequired[bool]  # Everybody in the block needs them
    at_least: NotRequired[int]  # Otherwise, so many people need them


class BuildingblocksCreateBody(TypedDict):
    name: str
    block_type: Literal["atomic", "composite"]
    allow_more: NotRequired[bool]  # Atomic blocks: more people than positions may join
    positions: NotRequired[list[BuildingblocksCreateBodyPositionsItem]]  # Atomic blocks only. Rows that are absent are deleted.
    sub_compositions: NotRequired[list[BuildingblocksCreateBodySubCompositionsItem]]  # Composite blocks only. Rows that are absent are deleted.
    qualification_requirements: NotRequired[list[BuildingblocksCreateBodyQualificationRequirementsItem]]


class BuildingblocksUpdateBodyPositionsItem(TypedDict):
    id: NotRequired[int]  # Of a row that stays; without it, the row is new
    label: NotRequired[str]
    optional: NotRequired[bool]
    qualifications: NotRequired[list[int]]


class BuildingblocksUpdateBodySubCompositionsItem(TypedDict):
    id: NotRequired[int]  # Of a row that stays; without it, the row is new
    label: NotRequired[str]
    optional: NotRequired[bool]
    sub_block: str  # The uuid of the block that stands here


class BuildingblocksUpdateBodyQualificationRequirementsItem(TypedDict):
    id: NotRequired[int]  # Of a row that stays; without it, the row is new
    qualifications: list[int]
    everyone: NotRequired[bool]  # Everybody in the block needs them
    at_least: NotRequired[int]  # Otherwise, so many people need them


class BuildingblocksUpdateBody(TypedDict):
    name: NotRequired[str]
    allow_more: NotRequired[bool]  # Atomic blocks: more people than positions may join
    positions: NotRequired[list[BuildingblocksUpdateBodyPositionsItem]]  # Atomic blocks only. Rows that are absent are deleted.
    sub_compositions: NotRequired[list[BuildingblocksUpdateBodySubCompositionsItem]]  # Composite blocks only. Rows that are absent are deleted.
    qualification_requirements: NotRequired[list[BuildingblocksUpdateBodyQualificationRequirementsItem]]
    confirm_shifts: NotRequired[bool]  # Confirms that current and upcoming shifts use the block; otherwise the write is refused with `unseen_shifts`


class BuildingblocksDeleteBody(TypedDict):
    confirm_shifts: NotRequired[bool]  # Confirms that current and upcoming shifts use the block; otherwise the write is refused with `unseen_shifts`


class EventTypesCreateBody(TypedDict):
    title: str
    color: NotRequired[str]  # Six hexadecimal digits after #
    show_participant_data: NotRequired[int]  # As in the record
    default_description: NotRequired[str | None]
    required_qualifications: NotRequired[list[int]]  # Ids; participants need all of them
    visible_for_all_groups: NotRequired[bool]  # false needs audience_groups
    audience_groups: NotRequired[list[int]]  # Ids of the groups that see new events, if not all do
    responsible_groups: NotRequired[list[int]]  # Ids of the groups that are responsible for new events
    responsible_users: NotRequired[list[int]]  # Ids of the people who are responsible for new events


class EventTypesUpdateBody(TypedDict):
    title: NotRequired[str]
    color: NotRequired[str]  # Six hexadecimal digits after #
    show_participant_data: NotRequired[int]  # As in the record
    default_description: NotRequired[str | None]
    required_qualifications: NotRequired[list[int]]  # Ids; participants need all of them
    visible_for_all_groups: NotRequired[bool]  # false needs audience_groups
    audience_groups: NotRequired[list[int]]  # Ids of the groups that see new events, if not all do
    responsible_groups: NotRequired[list[int]]  # Ids of the groups that are responsible for new events
    responsible_users: NotRequired[list[int]]  # Ids of the people who are responsible for new events
    archived: NotRequired[bool]  # Archived types are not offered for new events; existing events keep them


class QualificationsCreateBody(TypedDict):
    title: str
    abbreviation: NotRequired[str]
    category_id: int
    direct_includes: NotRequired[list[int]]  # Ids of the qualifications that it includes directly
    valid_months: NotRequired[int | None]  # For how many months it usually counts; null: without an end


class QualificationsUpdateBody(TypedDict):
    title: NotRequired[str]
    abbreviation: NotRequired[str]
    category_id: NotRequired[int]
    direct_includes: NotRequired[list[int]]  # Ids of the qualifications that it includes directly
    valid_months: NotRequired[int | None]  # For how many months it usually counts; null: without an end


class QualificationsDestroyBody(TypedDict):
    keep_transitivity: NotRequired[bool]  # Qualifications that included this one include directly what it included
    move_to: NotRequired[int | None]  # Holders get the qualification with this id instead


class QualificationCategoriesCreateBody(TypedDict):
    title: str
    show_with_user: NotRequired[bool]  # Whether its qualifications are shown next to names; true by default
    rank: NotRequired[int]  # Order on pages; equal ranks by title


class QualificationCategoriesUpdateBody(TypedDict):
    title: NotRequired[str]
    show_with_user: NotRequired[bool]  # Whether its qualifications are shown next to names; true by default
    rank: NotRequired[int]  # Order on pages; equal ranks by title


class GroupsCreateBody(TypedDict):
    name: str


class GroupsUpdateBody(TypedDict):
    name: NotRequired[str]


class GroupsMembersAddCreateBody(TypedDict):
    users: list[int]  # Ids of people


class GroupsMembersRemoveCreateBody(TypedDict):
    users: list[int]  # Ids of people


class UsersMeWaitingListAnswerCreateBody(TypedDict):
    answer: Literal["yes", "no"]


class FederationSubscribeBody(TypedDict):
    secret: str  # Signs the notices to the guest, as in Standard Webhooks. It replaces the former one


class FederationChangesBody(TypedDict):
    after: NotRequired[str]  # The cursor of the last answer; without one, from the start


class FederationObjectionsBody(TypedDict):
    users: list[int]  # Numbers of the people at home; all others no longer object


class FederationDeclineBody(TypedDict):
    shift: int
    user: int  # Number of the person at home


class FederationNoticeBody(TypedDict):
    host: str  # Address of the host
    cursor: str  # The place that the host has reached
    timestamp: int  # Seconds since 1970
    signature: str  # `v1,…` of Standard Webhooks, with the cursor as id, the timestamp, and the address of the host as body


class FederationSetupBody(TypedDict):
    name: str  # What the organisation of the guest calls itself
    url: str  # Exactly the address that the invitation is for
    client_id: str  # Of the OAuth application that the guest made for us
    client_secret: str
    code: str  # The invite code; it is used up by the first success
    turnout: NotRequired[str | float]  # Sent by instances that want to know where their people stand here


class RequestsApproveCreateBody(TypedDict):
    comment: NotRequired[str]


class RequestsRejectCreateBody(TypedDict):
    comment: NotRequired[str]


class WorkingHoursCreateBody(TypedDict):
    user: int  # Id of the person
    date: str  # A day until today
    hours: float
    reason: str


class WorkingHoursUpdateBody(TypedDict):
    date: NotRequired[str]  # A day until today
    hours: NotRequired[float]
    reason: NotRequired[str]


class WebhooksCreateBody(TypedDict):
    name: str
    description: NotRequired[str]
    url: str  # Where changes are sent: https, unless the operator permits other addresses
    kinds: list[Literal["event", "shift", "participation", "user", "event_type", "qualification", "group", "resource", "working_hours", "waiting_list", "exchanges", "inquiries", "forecast", "attendance", "own_waiting_list", "own_exchanges", "own_inquiries", "own_attendance", "availability", "companions", "access"]]  # Kinds of changes that are sent
    scopes: list[Literal["PUBLIC_READ", "ME_READ", "CONFIDENTIAL_READ"]]  # What the webhook may see, as with a token of its owner with these scopes
    include_record: NotRequired[bool]  # Each message contains the `record` as well, as the owner may read it with these scopes when the message is sent; null if it is gone
    active: NotRequired[bool]  # False: nothing is sent. When it is switched on again, it continues where it stopped


class WebhooksUpdateBody(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    url: NotRequired[str]  # Where changes are sent: https, unless the operator permits other addresses
    kinds: NotRequired[list[Literal["event", "shift", "participation", "user", "event_type", "qualification", "group", "resource", "working_hours", "waiting_list", "exchanges", "inquiries", "forecast", "attendance", "own_waiting_list", "own_exchanges", "own_inquiries", "own_attendance", "availability", "companions", "access"]]]  # Kinds of changes that are sent
    scopes: NotRequired[list[Literal["PUBLIC_READ", "ME_READ", "CONFIDENTIAL_READ"]]]  # What the webhook may see, as with a token of its owner with these scopes
    include_record: NotRequired[bool]  # Each message contains the `record` as well, as the owner may read it with these scopes when the message is sent; null if it is gone
    active: NotRequired[bool]  # False: nothing is sent. When it is switched on again, it continues where it stopped


class WebhooksRotateSecretBody(TypedDict):
    overlap_hours: NotRequired[int]  # For so long, requests are signed with both secrets. 0: the old secret ends at once


class BatchCreateBodyOperationsItem(TypedDict):
    method: Literal["POST", "PATCH", "PUT", "DELETE"]
    path: str  # Address of the write, without host and query: `/api/shifts/7/signup/`
    body: NotRequired[dict[str, Any]]  # As without the batch; none is an empty object
    if_match: NotRequired[str]  # As the header If-Match


class BatchCreateBody(TypedDict):
    operations: list[BatchCreateBodyOperationsItem]

BuildingBlockPage = Page[BuildingBlock]
CancelledEventPage = Page[CancelledEvent]
CandidatePage = Page[Candidate]
CatalogueQualificationPage = Page[CatalogueQualification]
DeletedEventPage = Page[DeletedEvent]
EventPage = Page[Event]
EventTypePage = Page[EventType]
GroupPage = Page[Group]
HeldQualificationPage = Page[HeldQualification]
NotificationPage = Page[Notification]
OwnWaitingEntryPage = Page[OwnWaitingEntry]
ParticipationPage = Page[Participation]
QualificationCategoryPage = Page[QualificationCategory]
RemovedShiftPage = Page[RemovedShift]
RequestPage = Page[Request]
ResourceCategoryPage = Page[ResourceCategory]
ResourcePage = Page[Resource]
SharedEventPage = Page[SharedEvent]
ShiftPage = Page[Shift]
UserProfilePage = Page[UserProfile]
UserinfoParticipationPage = Page[UserinfoParticipation]
VisitorParticipationPage = Page[VisitorParticipation]
WebhookDeliveryPage = Page[WebhookDelivery]
WebhookPage = Page[Webhook]
WorkingHoursPage = Page[WorkingHours]
WorkingHoursRequestPage = Page[WorkingHoursRequest]
