// Written by `npm run api` from docs/api/openapi.json. Do not edit.


export interface paths {
  "/api/": {
    /**
     * Addresses of the lists
     * @description Needs any token of a person, or a session.
     */
    get: operations["root_retrieve"];
  };
  "/api/events/": {
    /**
     * Events the caller may see
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["events_list"];
    /**
     * Create an event with its shifts, as a draft or published
     * @description Without groups, responsibles or description, the event gets those that its type suggests. A draft is at `/api/events/drafts/{id}/` until it is published.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, and the permission `add_event` of the person behind it, or a session.
     */
    post: operations["events_create"];
  };
  "/api/events/{id}/": {
    /**
     * One event
     * @description Filters act here, too: an event that does not match is not found.
     *
     * Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["events_retrieve"];
    /**
     * Move an event to the bin
     * @description It can be restored for 30 days.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, and the permission `delete_event` of the person behind it, or a session.
     */
    delete: operations["events_delete"];
    /**
     * Change an event
     * @description For those who are responsible for the event or may change all events. Keys that are absent stay as they are.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, or a session.
     */
    patch: operations["events_update"];
  };
  "/api/events/drafts/": {
    /**
     * Drafts that the caller may change, the newest first
     * @description Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, and the permission `add_event` of the person behind it, or a session.
     */
    get: operations["events_drafts_list"];
  };
  "/api/events/drafts/{id}/": {
    /**
     * One draft
     * @description Its ETag is the version for changes at `/api/events/{id}/`.
     *
     * Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, and the permission `add_event` of the person behind it, or a session.
     */
    get: operations["events_drafts_retrieve"];
  };
  "/api/events/bin/": {
    /**
     * Deleted events that the caller may restore, the last deleted first
     * @description Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, and the permission `delete_event` of the person behind it, or a session.
     */
    get: operations["events_bin_list"];
  };
  "/api/events/cancelled/": {
    /**
     * Cancelled events that the caller could see, the last cancelled first
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["events_cancelled_list"];
  };
  "/api/events/cancelled/{id}/": {
    /**
     * One cancelled event with its shifts and the reason
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["events_cancelled_retrieve"];
  };
  "/api/events/{id}/planning/": {
    /**
     * The state of an event, who sees it and who is responsible
     * @description For those who may change the event. Also of drafts and cancelled events.
     *
     * Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, or a session.
     */
    get: operations["events_planning_retrieve"];
  };
  "/api/events/{id}/restore/": {
    /**
     * Take an event out of the bin
     * @description Needs a token with the scope `PUBLIC_WRITE`, and the permission `delete_event` of the person behind it, or a session.
     */
    post: operations["events_restore_create"];
  };
  "/api/events/{id}/publish/": {
    /**
     * Publish a draft
     * @description A draft without shifts is refused with `no_shift`. A published event stays as it is.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, and the permission `add_event` of the person behind it, or a session.
     */
    post: operations["events_publish_create"];
  };
  "/api/events/{id}/cancel/": {
    /**
     * Cancel an event, or change the reason
     * @description A cancelled event does not appear in the lists of the API any more; pages show it with the reason.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, or a session.
     */
    post: operations["events_cancel_create"];
  };
  "/api/events/{id}/reopen/": {
    /**
     * Take back that an event was cancelled
     * @description Needs a token with the scope `PUBLIC_WRITE`, or a session.
     */
    post: operations["events_reopen_create"];
  };
  "/api/events/{id}/duplicate/": {
    /**
     * Make one draft per date, without participations
     * @description The first shift of each copy starts on its date. At most 1000 dates.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, and the permission `add_event` of the person behind it, or a session.
     */
    post: operations["events_duplicate_create"];
  };
  "/api/events/{id}/attendance/": {
    /**
     * Who came, left or stayed away
     * @description For those who may change the event. Drafts have nobody to check in.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["events_attendance_retrieve"];
    /**
     * Check people in and out
     * @description For those who may change the event. All marks are stored, or none. Refused with `unknown`, `not_confirmed`, `order` (leaves before arriving).
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["events_attendance_create"];
  };
  "/api/reports/": {
    /**
     * Figures of a period: shifts, hours, reliability, people
     * @description Of events that the caller plans, until today. Without a period, the last twelve months; at most 36 months.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["reports_retrieve"];
  };
  "/api/shifts/": {
    /**
     * Shifts of events the caller may see
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["shifts_list"];
  };
  "/api/shifts/{id}/": {
    /**
     * One shift
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["shifts_retrieve"];
    /**
     * Delete a shift with its participations
     * @description For those who are responsible for the event or may change all events. Planners can restore it for a day. The last shift of an event is refused with `last_shift`.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, or a session.
     */
    delete: operations["shifts_delete"];
    /**
     * Change a shift
     * @description For those who are responsible for the event or may change all events. Keys that are absent stay as they are, also those of the configurations.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, or a session.
     */
    patch: operations["shifts_update"];
  };
  "/api/shifts/{id}/exchanges/": {
    /**
     * Searches for stand-ins and proposed swaps of a shift
     * @description For those who may change the event.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["shifts_exchanges_retrieve"];
  };
  "/api/shifts/{shift}/stand-ins/{id}/decide/": {
    /**
     * Agree to a stand-in that two people found, or refuse it
     * @description For those who may change the event. Refused with `gone`, or the reasons against the person.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["shifts_stand_ins_decide_create"];
  };
  "/api/shifts/{shift}/swaps/{id}/decide/": {
    /**
     * Agree to a swap that two people want, or refuse it
     * @description For those who may change the event. If the places are in two events, planners of both agree. Refused with `gone`, or the reasons against the people.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["shifts_swaps_decide_create"];
  };
  "/api/shifts/removed/": {
    /**
     * Cancelled and deleted shifts of events that go on, the last removed first
     * @description For those who may change the event: those that can be restored. For others: cancelled shifts that they had signed up for.
     *
     * Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["shifts_removed_list"];
  };
  "/api/shifts/removed/{id}/": {
    /**
     * One cancelled or deleted shift
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["shifts_removed_retrieve"];
  };
  "/api/shifts/{id}/planning/": {
    /**
     * The questions of a shift
     * @description For those who may change the event.
     *
     * Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, or a session.
     */
    get: operations["shifts_planning_retrieve"];
  };
  "/api/events/{id}/shifts/": {
    /**
     * Add a shift to an event
     * @description For those who are responsible for the event or may change all events.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, or a session.
     */
    post: operations["events_shifts_create"];
  };
  "/api/shifts/{id}/cancel/": {
    /**
     * Cancel a shift of an event that goes on
     * @description For those who are responsible for the event or may change all events. It leaves the lists; its people are told the reason. The last shift of an event is refused with `last_shift`: cancel the event.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, or a session.
     */
    post: operations["shifts_cancel_create"];
  };
  "/api/shifts/{id}/restore/": {
    /**
     * Bring back a cancelled or deleted shift with its participations
     * @description For those who are responsible for the event or may change all events. A cancelled one at any time, a deleted one for a day: later it is refused with `too_late`.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, or a session.
     */
    post: operations["shifts_restore_create"];
  };
  "/api/shifts/{id}/duplicate/": {
    /**
     * Copy a shift to other days of its event, without participations
     * @description For those who are responsible for the event or may change all events. At most 1000 dates.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, or a session.
     */
    post: operations["shifts_duplicate_create"];
  };
  "/api/shifts/{id}/inquiries/": {
    /**
     * Who was asked to take part in a shift, and what they answered
     * @description For those who may change the event; the last 20 inquiries.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["shifts_inquiries_retrieve"];
    /**
     * Ask people whether they can take part in a shift
     * @description For those who may change the event. Only people who could sign up now are asked, and nobody more often than the organisation allows in a day. Refused with `nobody`, `not_open`.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["shifts_inquiries_create"];
  };
  "/api/shifts/{shift}/inquiries/{id}/stop/": {
    /**
     * Ask nobody else, and tell those who have not answered that they are not needed
     * @description For those who may change the event. Refused with `ended`.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["shifts_inquiries_stop_create"];
  };
  "/api/shifts/{id}/forecast/": {
    /**
     * How many people a shift will probably have when it begins
     * @description For those who may change the event. Made each hour from past shifts of the same event type, for types where their error in the past is at least a tenth smaller than that of “as full as now”.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["shifts_forecast_retrieve"];
  };
  "/api/shortages/": {
    /**
     * Shifts that need people
     * @description Of events that the caller may change. Without bounds, those of the next 14 days.
     *
     * Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["shortages_retrieve"];
  };
  "/api/shifts/{id}/proposal/": {
    /**
     * Who could fill the open places of a shift
     * @description For those who plan the event, for coming shifts. It changes nothing: add the people with `POST /api/shifts/{id}/participations/`. The search can take some seconds.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["shifts_proposal_retrieve"];
  };
  "/api/participations/": {
    /**
     * Participations, requested and confirmed, without e-mail address and date of birth
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["participations_list"];
  };
  "/api/participations/{id}/": {
    /**
     * One of: Participations, requested and confirmed, without e-mail address and date of birth
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["participations_retrieve"];
    /**
     * Confirm or reject a person, or change their times or place
     * @description For those who may change the event. In all states; keys that are absent stay as they are. There is no deletion: a person who should not take part is rejected.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    patch: operations["participations_update"];
  };
  "/api/participations-userinfo/": {
    /**
     * Participations in all states, with user information
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["participations_userinfo_list"];
  };
  "/api/participations-userinfo/{id}/": {
    /**
     * One of: Participations in all states, with user information
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["participations_userinfo_retrieve"];
  };
  "/api/shifts/{id}/participations/": {
    /**
     * Add a person or a placeholder to a shift
     * @description For those who may change the event. A person who has a participation in the shift already, in any state, is refused with `already_there`.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["shifts_participations_create"];
  };
  "/api/participations/{id}/comments/": {
    /**
     * Comment on a participation
     * @description For those who may change the event.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["participations_comments_create"];
  };
  "/api/participations/{id}/keep/": {
    /**
     * Keep a confirmed person who lost what the place needs
     * @description For those who may change the event. The person counts again. Changes nothing if the person counts already.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["participations_keep_create"];
  };
  "/api/shifts/{id}/candidates/": {
    /**
     * People whom planners can assign to a shift, and whether they fit
     * @description For people who may change the event. Active people in the list of profiles, guests of the event, and visitors who take part in it, by name.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["shifts_candidates_list"];
  };
  "/api/users/": {
    /**
     * Profiles of all people
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["users_list"];
    /**
     * Add a person
     * @description The person gets a mail with a link to choose a password. Administrators are appointed on the pages only.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `add_user` of the person behind it, or a session.
     */
    post: operations["users_create"];
  };
  "/api/users/{id}/": {
    /**
     * The profile of one person
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["users_retrieve"];
    /**
     * Delete a person and their personal data
     * @description Cannot be undone. Frees future places; past participations and hours stay without a name. People who are hidden from lists, such as service accounts, are managed on the pages only.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `delete_user` of the person behind it, or a session.
     */
    delete: operations["users_destroy"];
    /**
     * Change a person
     * @description Keys that are absent stay as they are. Needs the permission `view_user`, too. People who are hidden from lists, such as service accounts, are managed on the pages only.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
     */
    patch: operations["users_update"];
  };
  "/api/users/by_email/{email}/": {
    /**
     * The profile of the person with this e-mail address
     * @description Upper and lower case are the same.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["users_by_email_retrieve"];
  };
  "/api/users/me/": {
    /**
     * The profile of the caller
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_retrieve"];
    /**
     * Choose the language of pages and mails
     * @description Everything else in a profile is changed by the people who manage profiles.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    patch: operations["users_me_update"];
  };
  "/api/users/me/details/": {
    /**
     * What people enter about themselves: name, phone, emergency contact
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_details_retrieve"];
    /**
     * Change the own name, phone and emergency contact
     * @description Keys that are absent stay as they are. Refused with `name_locked` where others manage names.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    patch: operations["users_me_details_update"];
  };
  "/api/users/{id}/deactivate/": {
    /**
     * Close an account
     * @description Ends sessions and frees future places. Changes nothing if the account is inactive. Needs the permission `view_user`, too.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
     */
    post: operations["users_deactivate_create"];
  };
  "/api/users/{id}/activate/": {
    /**
     * Open an account again
     * @description Changes nothing if the account is active. Needs the permission `view_user`, too.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
     */
    post: operations["users_activate_create"];
  };
  "/api/users/me/qualifications/": {
    /**
     * The caller's qualifications with their expiry, also expired ones
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_qualifications_list"];
  };
  "/api/users/me/qualifications/{id}/": {
    /**
     * One of: The caller's qualifications with their expiry, also expired ones
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_qualifications_retrieve"];
  };
  "/api/users/{user}/qualifications/": {
    /**
     * Qualifications of one person with their expiry, also expired ones
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["users_qualifications_list"];
    /**
     * Grant a qualification to a person
     * @description A qualification that the person has already, also an expired one, is refused with `already_held`: change that one.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
     */
    post: operations["users_qualifications_create"];
  };
  "/api/users/{user}/qualifications/{id}/": {
    /**
     * One of: Qualifications of one person with their expiry, also expired ones
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["users_qualifications_retrieve"];
    /**
     * Withdraw a qualification of a person
     * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
     */
    delete: operations["users_qualifications_destroy"];
    /**
     * Change how long a person has a qualification
     * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
     */
    patch: operations["users_qualifications_update"];
  };
  "/api/me/capabilities/": {
    /**
     * What the credential of this request may do
     * @description Scopes, permissions and groups of the caller, and which operations they open. Some operations also depend on the record, for example on whether the caller is responsible for the event.
     *
     * Needs any token of a person, or a session.
     */
    get: operations["me_capabilities_retrieve"];
  };
  "/api/users/me/availability/": {
    /**
     * When the caller can or cannot, as they said
     * @description Without the times of private calendars.
     *
     * Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_availability_retrieve"];
    /**
     * Say when you can or cannot
     * @description A list replaces what was said before; a list that is absent stays. Equal entries count once.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    patch: operations["users_me_availability_update"];
  };
  "/api/users/me/participations/": {
    /**
     * The caller's participations in all states
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_participations_list"];
  };
  "/api/users/me/participations/{id}/": {
    /**
     * One of: The caller's participations in all states
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_participations_retrieve"];
    /**
     * Change times, wish, answers or comment of an own participation
     * @description Keys that are absent stay as they are; a comment is added to those before. A late change can turn a confirmed participation into a request.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    patch: operations["users_me_participations_update"];
  };
  "/api/users/me/participations/cancelled/": {
    /**
     * The caller's participations in cancelled events, in all states
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_participations_cancelled_list"];
  };
  "/api/users/me/participations/cancelled/{id}/": {
    /**
     * One of: The caller's participations in cancelled events, in all states
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_participations_cancelled_retrieve"];
  };
  "/api/users/{user}/participations/": {
    /**
     * Participations of one person in all states, without e-mail address and date of birth
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["users_participations_list"];
  };
  "/api/users/{user}/participations/{id}/": {
    /**
     * One of: Participations of one person in all states, without e-mail address and date of birth
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["users_participations_retrieve"];
  };
  "/api/users/me/picture/": {
    /**
     * The own picture
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_picture_retrieve"];
    /**
     * Upload or remove the own picture
     * @description It is stored as from the page: turned upright, at most 1,024 pixels wide and high, without metadata such as the place. Not in a batch.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    patch: operations["users_me_picture_update"];
  };
  "/api/users/me/working-hours/": {
    /**
     * The caller's working hours that were entered by hand
     * @description Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.
     *
     * Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_working_hours_list"];
    /**
     * Ask for working hours
     * @description Creates a request that others decide. The hours count once it is granted.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_working_hours_create"];
  };
  "/api/users/me/working-hours/{id}/": {
    /**
     * One of: The caller's working hours that were entered by hand
     * @description Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.
     *
     * Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_working_hours_retrieve"];
  };
  "/api/users/me/working-hours-requests/": {
    /**
     * The caller's requests for working hours, with their decisions
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_working_hours_requests_list"];
  };
  "/api/users/me/working-hours-requests/{id}/": {
    /**
     * One of the caller's requests for working hours
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_working_hours_requests_retrieve"];
  };
  "/api/users/me/working-hours-requests/{id}/withdraw/": {
    /**
     * Withdraw a request for working hours that nobody has decided
     * @description Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_working_hours_requests_withdraw_create"];
  };
  "/api/users/me/notifications/": {
    /**
     * The caller's notifications, newest first
     * @description Without those about events that the caller can no longer see. Reading them here does not mark them as read.
     *
     * Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_notifications_list"];
  };
  "/api/users/me/notifications/{id}/": {
    /**
     * One of the caller's notifications
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_notifications_retrieve"];
  };
  "/api/users/me/notification-choices/": {
    /**
     * Which notifications the caller gets by mail and push
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_notification_choices_retrieve"];
    /**
     * Choose which notifications come by mail and push
     * @description Needs a token with the scope `ME_WRITE`, or a session.
     */
    patch: operations["users_me_notification_choices_update"];
  };
  "/api/users/me/notifications/read/": {
    /**
     * Mark the caller's notifications as read
     * @description Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_notifications_read_all_create"];
  };
  "/api/users/me/notifications/{id}/read/": {
    /**
     * Mark one of the caller's notifications as read
     * @description Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_notifications_read_create"];
  };
  "/api/shifts/{id}/eligibility/": {
    /**
     * What the caller can do about a shift, and why not
     * @description The same verdict as on the pages. A sign-up with an empty object succeeds if `sign_up.allowed` is true and `needed` is empty.
     *
     * Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["shifts_eligibility_retrieve"];
  };
  "/api/shifts/{id}/signup/": {
    /**
     * Sign up for a shift
     * @description An empty object signs up with the defaults. Reasons against it are listed in `errors`, with the codes of the eligibility.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["shifts_signup_create"];
  };
  "/api/shifts/{id}/decline/": {
    /**
     * Decline a shift, or give up a place
     * @description Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["shifts_decline_create"];
  };
  "/api/shifts/{id}/undo/": {
    /**
     * Take back the last own step: sign-up, decline or change of details
     * @description Within 60 seconds, if nobody has changed the participation since. Nobody is notified of what was taken back.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["shifts_undo_create"];
  };
  "/api/shifts/{id}/companions/": {
    /**
     * Whom you bring to a shift
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["shifts_companions_retrieve"];
    /**
     * Say whom you bring to a shift
     * @description For those who take part and may bring others. The list replaces the one before. Refused with `not_in`, or the reasons against a sign-up or decline.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    patch: operations["shifts_companions_update"];
  };
  "/api/users/me/exchanges/": {
    /**
     * Own searches for stand-ins, searches in which you were asked, and swaps that wait for an answer
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_exchanges_retrieve"];
  };
  "/api/shifts/{id}/stand-in/": {
    /**
     * Look for somebody who takes your confirmed place
     * @description You keep it until somebody does. Refused with `off`, `no_place`, `begun`, `searching`, `no_taker`.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["shifts_stand_in_create"];
  };
  "/api/shifts/{id}/stand-in/cancel/": {
    /**
     * Stop looking for a stand-in, and keep the place
     * @description Refused with `not_searching`.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["shifts_stand_in_cancel_create"];
  };
  "/api/users/me/stand-ins/{id}/answer/": {
    /**
     * Take the place of somebody who looks for a stand-in, or not
     * @description For those who were asked, see `asked` of `/api/users/me/exchanges/`. Refused with `filled`, `gone`, `expired`, or the reasons against a sign-up. The same answer again changes nothing.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_stand_ins_answer_create"];
  };
  "/api/shifts/{id}/swap-places/": {
    /**
     * Places of others for which you could exchange your confirmed place in a shift
     * @description Needs a token with the scope `ME_READ` and `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["shifts_swap_places_retrieve"];
  };
  "/api/shifts/{id}/swap/": {
    /**
     * Propose to exchange your confirmed place for that of another person
     * @description Both keep their places until the other person agrees. Refused with `off`, `no_place`, `begun`, `gone`, `other_cannot`, `too_many`, or the reasons against you.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["shifts_swap_create"];
  };
  "/api/users/me/swaps/{id}/answer/": {
    /**
     * Agree to a swap that somebody proposed to you, or decline it
     * @description Refused with `swap_gone`, `swap_expired`, `other_cannot`, or the reasons against you. The same answer again changes nothing.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_swaps_answer_create"];
  };
  "/api/users/me/swaps/{id}/withdraw/": {
    /**
     * Take back a swap that you proposed
     * @description Refused with `gone`.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_swaps_withdraw_create"];
  };
  "/api/users/me/participations/{id}/attendance/": {
    /**
     * When you arrived at a shift on which you are confirmed, and left it
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_participations_attendance_retrieve"];
    /**
     * Say that you are there, or that you leave
     * @description Where the event has self check-in by a button. What contradicts a mark of the planners is kept for them to decide. Refused with `off`, `too_early`, `too_late`.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_participations_attendance_create"];
  };
  "/api/users/me/inquiries/": {
    /**
     * Questions of planners whether you can take part, which wait for your answer
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_inquiries_retrieve"];
  };
  "/api/users/me/inquiries/{id}/answer/": {
    /**
     * Say that you can take part, which signs you up, or that you cannot
     * @description Refused with `too_late`, `enough`, `withdrawn`, `expired`, `needs_form` (sign up with details instead), or the reasons against it. The same answer again changes nothing.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_inquiries_answer_create"];
  };
  "/api/buildingblocks/": {
    /**
     * All building blocks
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["buildingblocks_list"];
    /**
     * Create a building block
     * @description Needs a token with the scope `PUBLIC_WRITE`, and the permission `change_building_block` of the person behind it, or a session.
     */
    post: operations["buildingblocks_create"];
  };
  "/api/buildingblocks/{id}/": {
    /**
     * One building block
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["buildingblocks_retrieve"];
    /**
     * Delete a building block, and remove it from shifts and other blocks
     * @description Needs a token with the scope `PUBLIC_WRITE`, and the permission `change_building_block` of the person behind it, or a session.
     */
    delete: operations["buildingblocks_delete"];
    /**
     * Change a building block and every shift that uses it
     * @description Keys that are absent stay as they are. Lists replace the stored ones; rows keep their place by their id.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, and the permission `change_building_block` of the person behind it, or a session.
     */
    patch: operations["buildingblocks_update"];
  };
  "/api/event-types/": {
    /**
     * All event types, with archived ones
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["event_types_list"];
    /**
     * Create an event type
     * @description The title is enough. Other settings need the permission to change event types, too.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, and the permission `add_event_type` of the person behind it, or a session.
     */
    post: operations["event_types_create"];
  };
  "/api/event-types/{id}/": {
    /**
     * One event type
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["event_types_retrieve"];
    /**
     * Delete an event type that no event uses
     * @description A type that events use, also drafts and deleted ones, is refused with `in_use`.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, and the permission `delete_event_type` of the person behind it, or a session.
     */
    delete: operations["event_types_delete"];
    /**
     * Change, archive or restore an event type
     * @description Keys that are absent stay as they are. New settings apply to new events.
     *
     * Needs a token with the scope `PUBLIC_WRITE`, and the permission `change_event_type` of the person behind it, or a session.
     */
    patch: operations["event_types_update"];
  };
  "/api/qualifications/": {
    /**
     * The catalogue of qualifications
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["qualifications_list"];
    /**
     * Add a qualification
     * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `add_qualification` of the person behind it, or a session.
     */
    post: operations["qualifications_create"];
  };
  "/api/qualifications/{id}/": {
    /**
     * One qualification
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["qualifications_retrieve"];
    /**
     * Delete a qualification
     * @description People lose it, unless it is moved. Refused with `needed` while upcoming shifts need it.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `delete_qualification` of the person behind it, or a session.
     */
    delete: operations["qualifications_destroy"];
    /**
     * Change a qualification
     * @description Keys that are absent stay as they are.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_qualification` of the person behind it, or a session.
     */
    patch: operations["qualifications_update"];
  };
  "/api/qualification-categories/": {
    /**
     * Categories of qualifications
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["qualification_categories_list"];
    /**
     * Add a category of qualifications
     * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `add_qualification` of the person behind it, or a session.
     */
    post: operations["qualification_categories_create"];
  };
  "/api/qualification-categories/{id}/": {
    /**
     * One category of qualifications
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["qualification_categories_retrieve"];
    /**
     * Delete a category without qualifications
     * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `delete_qualification` of the person behind it, or a session.
     */
    delete: operations["qualification_categories_destroy"];
    /**
     * Change a category of qualifications
     * @description Keys that are absent stay as they are.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_qualification` of the person behind it, or a session.
     */
    patch: operations["qualification_categories_update"];
  };
  "/api/groups/": {
    /**
     * All groups
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_group` of the person behind it, or a session.
     */
    get: operations["groups_list"];
    /**
     * Add a group without members and permissions
     * @description Needs the permission `view_group`, too. What members may do is chosen on the pages only.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `add_group` of the person behind it, or a session.
     */
    post: operations["groups_create"];
  };
  "/api/groups/{id}/": {
    /**
     * One group
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_group` of the person behind it, or a session.
     */
    get: operations["groups_retrieve"];
    /**
     * Delete a group
     * @description Its members no longer see its events.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `delete_group` of the person behind it, or a session.
     */
    delete: operations["groups_destroy"];
    /**
     * Rename a group
     * @description Needs the permission `view_group`, too. What members may do is chosen on the pages only.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_group` of the person behind it, or a session.
     */
    patch: operations["groups_update"];
  };
  "/api/groups/{id}/members/": {
    /**
     * Profiles of the members of one group
     * @description Needs the permission `view_group`, too.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
     */
    get: operations["groups_members_list"];
  };
  "/api/groups/{id}/members/add/": {
    /**
     * Add people to a group
     * @description People who are members already stay as they are. Needs the permission `view_group`, too.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_group` of the person behind it, or a session.
     */
    post: operations["groups_members_add_create"];
  };
  "/api/groups/{id}/members/remove/": {
    /**
     * Remove people from a group
     * @description People who are no members stay as they are. Needs the permission `view_group`, too.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_group` of the person behind it, or a session.
     */
    post: operations["groups_members_remove_create"];
  };
  "/api/users/me/waiting-list/": {
    /**
     * Shifts for which the caller waits or has waited for a place, the newest first
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_waiting_list_list"];
  };
  "/api/users/me/waiting-list/{id}/": {
    /**
     * One entry of the caller on a waiting list
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["users_me_waiting_list_retrieve"];
  };
  "/api/shifts/{id}/waiting-list/": {
    /**
     * Who waits for a place in a shift
     * @description For those who may change the event.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["shifts_waiting_list_retrieve"];
  };
  "/api/shifts/{id}/waiting-list/join/": {
    /**
     * Wait for a place in a full shift
     * @description Refused with `line_off`, `line_closed`, `not_full`, `waiting_already`, or the reasons against a sign-up.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["shifts_waiting_list_join_create"];
  };
  "/api/shifts/{id}/waiting-list/leave/": {
    /**
     * Leave the waiting list of a shift, and give up an offered place
     * @description Refused with `not_waiting`.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["shifts_waiting_list_leave_create"];
  };
  "/api/users/me/waiting-list/{id}/answer/": {
    /**
     * Accept a place that is offered, or leave it to the next person
     * @description Refused with `expired`, `withdrawn`, `needs_form` (sign up with details instead), or the reasons against a sign-up. The same answer again changes nothing.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["users_me_waiting_list_answer_create"];
  };
  "/api/resources/": {
    /**
     * Vehicles, rooms and material that shifts can use
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["resources_list"];
  };
  "/api/resources/{id}/": {
    /**
     * One resource
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["resources_retrieve"];
  };
  "/api/resource-categories/": {
    /**
     * Categories of resources
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["resource_categories_list"];
  };
  "/api/resource-categories/{id}/": {
    /**
     * One category of resources
     * @description Needs a token with the scope `PUBLIC_READ`, or a session.
     */
    get: operations["resource_categories_retrieve"];
  };
  "/api/federation/subscription/": {
    /**
     * Ask to be told when something changes for the instance that the token was given to
     * @description A signed notice is sent to `/api/federation/notices/` of the instance. It says that there is something new, not what.
     *
     * Needs the federation token of a partner instance.
     */
    post: operations["federation_subscribe"];
  };
  "/api/federation/changes/": {
    /**
     * What changed for the instance that the token was given to
     * @description The cursor also says what the instance has: it is not told again of what it no longer sees. 409: it has not subscribed.
     *
     * Needs the federation token of a partner instance.
     */
    post: operations["federation_changes"];
  };
  "/api/federation/objections/": {
    /**
     * Name the people of the instance about whom nothing is to be told
     * @description Needs the federation token of a partner instance.
     */
    post: operations["federation_objections"];
  };
  "/api/federation/declines/": {
    /**
     * Give up the place of a person of the instance
     * @description By the same rules as on the page for visitors. 409: they do not allow it.
     *
     * Needs the federation token of a partner instance.
     */
    post: operations["federation_decline"];
  };
  "/api/federation/notices/": {
    /**
     * Say that something has changed at a host of this instance
     * @description Needs no credentials.
     */
    post: operations["federation_notice"];
  };
  "/api/federation/events/": {
    /**
     * Events shared with the instance that the token was given to
     * @description Needs the federation token of a partner instance.
     */
    get: operations["federation_events_list"];
  };
  "/api/federation/participations/": {
    /**
     * Where people of the instance that the token was given to stand here
     * @description Needs the federation token of a partner instance.
     */
    get: operations["federation_participations_list"];
  };
  "/api/federation/setup/": {
    /**
     * Redeem an invite code and become a guest of this instance
     * @description Needs no credentials.
     */
    post: operations["federation_setup"];
  };
  "/api/federation/guest/delete/": {
    /**
     * End the link to the instance that the token was given to
     * @description Events are no longer shared with it and its token ends. Places that its people had stay, without their names.
     *
     * Needs the federation token of a partner instance.
     */
    delete: operations["federation_guest_delete"];
  };
  "/api/requests/": {
    /**
     * Requests that the caller decides about, also decided ones
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["requests_list"];
  };
  "/api/requests/{id}/": {
    /**
     * One request that the caller decides about
     * @description Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["requests_retrieve"];
  };
  "/api/requests/{id}/approve/": {
    /**
     * Approve a request, and do what was asked for
     * @description Also a rejected one. If it cannot be carried out, its state is `failed`, with the cause in `comment`. For those who decide such requests.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["requests_approve_create"];
  };
  "/api/requests/{id}/reject/": {
    /**
     * Reject a request
     * @description The person gets the comment. For those who decide such requests.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["requests_reject_create"];
  };
  "/api/working-hours/": {
    /**
     * Working hours that were entered by hand, of people whose hours the caller sees or decides about
     * @description Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["working_hours_list"];
    /**
     * Enter working hours of a person
     * @description For those who decide about the person's working hours.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    post: operations["working_hours_create"];
  };
  "/api/working-hours/{id}/": {
    /**
     * One of: Working hours that were entered by hand, of people whose hours the caller sees or decides about
     * @description Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.
     *
     * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
     */
    get: operations["working_hours_retrieve"];
    /**
     * Delete working hours that were entered by hand
     * @description For those who decide about the person's working hours.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    delete: operations["working_hours_destroy"];
    /**
     * Change working hours that were entered by hand
     * @description For those who decide about the person's working hours. Keys that are absent stay as they are.
     *
     * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
     */
    patch: operations["working_hours_update"];
  };
  "/api/changes/": {
    /**
     * What changed since a cursor
     * @description Changes of the records that the caller may see, in the order in which they were saved. None is left out, however many are saved at the same time. Kept for 90 days; with an older cursor the answer is 410, with the cursor to go on with. Each kind needs the scope and the permission of its list: CONFIDENTIAL_READ for `participation`, `user`, `group` and `working_hours`, or ME_READ for your own; PUBLIC_READ for the others.
     *
     * Needs any token of a person, or a session.
     */
    get: operations["changes_list"];
  };
  "/api/changes/stream/": {
    /**
     * What changes, as Server-Sent Events
     * @description Changes of the records that the caller may see, in the order in which they were saved. None is left out, however many are saved at the same time. Kept for 90 days; with an older cursor the answer is 410, with the cursor to go on with. Each kind needs the scope and the permission of its list: CONFIDENTIAL_READ for `participation`, `user`, `group` and `working_hours`, or ME_READ for your own; PUBLIC_READ for the others.
     *
     * Each change is an event with the name `change`. The stream ends with the token or session.
     *
     * Needs any token of a person, or a session.
     */
    get: operations["changes_stream"];
  };
  "/api/webhooks/": {
    /**
     * Your webhooks
     * @description A webhook sends each change of the feed (`/api/changes/`) that its owner may see to an address, signed as Standard Webhooks describes, in order, until the receiver accepts it.
     *
     * Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["webhooks_list"];
    /**
     * Add a webhook
     * @description It starts with the next change. The token needs the scopes of the webhook, too. Applications that people authorised cannot add webhooks. Kinds of which the scopes never show a change are refused with `scope_missing`.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["webhooks_create"];
  };
  "/api/webhooks/{id}/": {
    /**
     * One of your webhooks
     * @description Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["webhooks_retrieve"];
    /**
     * Delete a webhook with its log
     * @description Needs a token with the scope `ME_WRITE`, or a session.
     */
    delete: operations["webhooks_delete"];
    /**
     * Change, pause or resume a webhook
     * @description Keys that are absent stay as they are. The token needs the scopes of the webhook, too.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    patch: operations["webhooks_update"];
  };
  "/api/webhooks/{id}/deliveries/": {
    /**
     * What a webhook sent in the last 30 days
     * @description The newest first. A delivery that failed is attempted again, for three days.
     *
     * Needs a token with the scope `ME_READ`, or a session.
     */
    get: operations["webhooks_deliveries_list"];
  };
  "/api/webhooks/{id}/rotate-secret/": {
    /**
     * Generate a new secret
     * @description For some time, requests carry signatures of both secrets. The token needs the scopes of the webhook, too.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["webhooks_rotate_secret"];
  };
  "/api/webhooks/{id}/test/": {
    /**
     * Send a test delivery
     * @description Sends a change of the kind `test`, also while the webhook is paused. The token needs the scopes of the webhook, too.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["webhooks_test"];
  };
  "/api/webhooks/{id}/deliveries/{delivery}/resend/": {
    /**
     * Send a delivery again
     * @description With the same `webhook-id` and body. The token needs the scopes of the webhook, too.
     *
     * Needs a token with the scope `ME_WRITE`, or a session.
     */
    post: operations["webhooks_deliveries_resend"];
  };
  "/api/batch/": {
    /**
     * Up to 100 writes in one transaction
     * @description Carries out all writes in their order, or none of them. Each needs the scope and the permission that it needs alone. A batch that takes longer than a minute is refused with 413. If one fails, the problem `batch_failed` lists the result of each in `results`. Later writes can refer to results of earlier ones: `{0/body/id}` in `path` and `if_match` is the id that the first one answered, `{"$result": "0/body/id"}` in a body the same as a value.
     *
     * Needs any token of a person, or a session.
     */
    post: operations["batch_create"];
  };
  "/api/schema/": {
    /**
     * This description of the API, as OpenAPI 3.1
     * @description Needs no credentials.
     */
    get: operations["schema_retrieve"];
  };
  "/api/schema/swagger-ui/": {
    /**
     * A page to read this description and to try it out
     * @description Needs no credentials.
     */
    get: operations["schema_swagger_ui_retrieve"];
  };
}

export interface webhooks {
  "change": {
    /**
     * A change, as the feed lists it
     * @description Sent to the `url` of each webhook whose `kinds` and `scopes` it fits, signed by Standard Webhooks. Answer with any 2xx within ten seconds.
     */
    post: operations["webhook_change"];
  };
  "changewithrecord": {
    /**
     * A change with its record
     * @description Sent by webhooks with `include_record`. The record is read when the message is sent, so it can be newer than the change, and another one when the message is sent again. Sent to the `url` of each webhook whose `kinds` and `scopes` it fits, signed by Standard Webhooks. Answer with any 2xx within ten seconds.
     */
    post: operations["webhook_changewithrecord"];
  };
}

export interface components {
  schemas: {
    /** @description Absolute, under the host that was asked. */
    ApiRoot: {
      /** Format: uri */
      events: string;
      /** Format: uri */
      shifts: string;
      /** Format: uri */
      participations: string;
      /** Format: uri */
      "participations-userinfo": string;
      /** Format: uri */
      users: string;
      /** Format: uri */
      "users/me/participations": string;
    };
    Attendance: {
      /**
       * Format: int64
       * @description The id of the event
       */
      id: number;
      /** @description Confirmed people, by shift and name */
      entries: ({
          /** Format: int64 */
          participation: number;
          /** Format: int64 */
          shift: number;
          /**
           * Format: int64
           * @description null: without an account here
           */
          user: number | null;
          display_name: string;
          /**
           * Format: date-time
           * @description As planned, or as corrected afterwards
           */
          start_time: string;
          /** Format: date-time */
          end_time: string;
          /** Format: date-time */
          arrived_at: string | null;
          /** Format: date-time */
          left_at: string | null;
          /** @description Marked on the day */
          no_show: boolean;
          /** @description Somebody responsible has confirmed afterwards that the person was not there */
          is_absent: boolean;
        })[];
    };
    Availability: {
      /** @description Times of every week */
      weekly: ({
          /** @enum {string} */
          kind: "cannot" | "can";
          /**
           * Format: int64
           * @description 1 is Monday
           */
          weekday: number;
          from: string;
          /** @description After `from`; 24:00 is the end of the day */
          until: string;
        })[];
      /** @description Whole days, without those that are over. They replace the weekly times */
      days: ({
          /** @enum {string} */
          kind: "cannot" | "can";
          /** Format: date */
          first: string;
          /**
           * Format: date
           * @description Not before `first`
           */
          last: string;
        })[];
    };
    BatchResults: {
      /** @description In the order of the operations */
      results: ({
          /** Format: int64 */
          status: number;
          headers: {
            [key: string]: string;
          };
          body: {
            [key: string]: unknown;
          } | null;
        })[];
    };
    /** @description A team structure that shifts are built from: positions of its own, or other blocks. */
    BuildingBlock: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      name: string;
      /** @enum {string} */
      block_type: "atomic" | "composite";
      /** @description Composite blocks only */
      sub_compositions: {
          /** Format: int64 */
          id: number;
          label: string;
          optional: boolean;
          /**
           * Format: uuid
           * @description The uuid of the block that stands here
           */
          sub_block: string;
        }[];
      /** @description More people than positions may join */
      allow_more: boolean;
      qualification_requirements: {
          /** Format: int64 */
          id: number;
          /** @description Ids of qualifications, not their uuids */
          qualifications: number[];
          /** @description Everybody in the block needs them */
          everyone: boolean;
          /**
           * Format: int64
           * @description Otherwise, so many people need them
           */
          at_least: number;
        }[];
      /** @description Atomic blocks only */
      positions: {
          /** Format: int64 */
          id: number;
          label: string;
          optional: boolean;
          /** @description Ids of qualifications, not their uuids */
          qualifications: number[];
        }[];
    };
    BuildingBlockPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["BuildingBlock"][];
    };
    CancelledEvent: {
      /** Format: int64 */
      id: number;
      title: string;
      description: string | null;
      location: string;
      type: components["schemas"]["EventTypeReference"];
      /** Format: uri */
      frontend_url: string;
      /**
       * Format: date-time
       * @description The earliest start of its shifts
       */
      start_time: string | null;
      /**
       * Format: date-time
       * @description The latest end of its shifts
       */
      end_time: string | null;
      signup_stats: components["schemas"]["SignupStats"];
      shifts: components["schemas"]["Shift"][];
      /** @constant */
      state: "cancelled";
      /** Format: date-time */
      cancelled_at: string;
      /** @description Participants read it */
      cancellation_reason: string;
    };
    CancelledEventPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["CancelledEvent"][];
    };
    Candidate: {
      /** @enum {string} */
      type: "LocalUserParticipant" | "GuestParticipant" | "FederatedParticipant";
      /**
       * Format: int64
       * @description Of the user, guest or visitor
       */
      id: number;
      /**
       * Format: int64
       * @description null for guests and visitors
       */
      user: number | null;
      display_name: string;
      /** Format: int64 */
      participation: number | null;
      /** @description In this shift */
      state: {
        /** Format: int64 */
        value: number;
        label: string;
      } | null;
      /**
       * @description `busy`: confirmed elsewhere at that time, and nothing else speaks against it
       * @enum {string}
       */
      verdict: "fits" | "busy" | "unfit";
      /** @description Everything that speaks against the person; empty for `fits` */
      reasons: {
          code: string;
          detail: string;
        }[];
      warnings: {
          code: string;
          detail: string;
        }[];
      /** @description Teams or units that the person fits */
      places: {
          /** @description The value for `wish` of a sign-up */
          wish: string;
          title: string;
        }[];
    };
    CandidatePage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["Candidate"][];
    };
    Capabilities: {
      credential: {
        /** @enum {string} */
        kind: "session" | "personal_token" | "application" | "service_account";
        /** @description Of the token, the application or the service account; null for a session */
        name: string | null;
        /**
         * Format: date-time
         * @description Null for a session and without an expiry
         */
        expires_at: string | null;
      };
      scopes: ("PUBLIC_READ" | "PUBLIC_WRITE" | "ME_READ" | "ME_WRITE" | "CONFIDENTIAL_READ" | "CONFIDENTIAL_WRITE")[];
      /** @description Global permissions, directly or by a group */
      permissions: string[];
      groups: {
          /** Format: int64 */
          id: number;
          name: string;
        }[];
      operations: ({
          /** @description As in this document */
          operation_id: string;
          method: string;
          path: string;
          allowed: boolean;
          /** @description The code of the problem that a request would get; null if it is allowed */
          reason: string | null;
          /**
           * @description The scope that the token lacks
           * @enum {string|null}
           */
          required_scope: "PUBLIC_READ" | "PUBLIC_WRITE" | "ME_READ" | "ME_WRITE" | "CONFIDENTIAL_READ" | "CONFIDENTIAL_WRITE" | null;
        })[];
    };
    CatalogueQualification: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      title: string;
      abbreviation: string;
      /**
       * Format: uuid
       * @description Of the category
       */
      category: string;
      /** @description Everything that it includes, also through others; not itself */
      includes: string[];
      /** Format: int64 */
      category_id: number;
      /** @description Ids of the qualifications that it includes directly */
      direct_includes: number[];
      /**
       * Format: int64
       * @description For how many months it usually counts; null: without an end
       */
      valid_months: number | null;
    };
    CatalogueQualificationPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["CatalogueQualification"][];
    };
    Change: {
      /** @description Continue after this change with `after`; also the id of the event of a stream */
      cursor: string;
      /**
       * @description The kind of record. `waiting_list`, `exchanges`, `inquiries`, `forecast`: of a shift, for those who may change its event; `attendance`: of an event, for the same people. `own_` and `availability`, `companions`: your own. `access`: your own groups or permissions changed, or which participations of others you see
       * @enum {string}
       */
      kind: "event" | "shift" | "participation" | "user" | "event_type" | "qualification" | "group" | "resource" | "working_hours" | "waiting_list" | "exchanges" | "inquiries" | "forecast" | "attendance" | "own_waiting_list" | "own_exchanges" | "own_inquiries" | "own_attendance" | "availability" | "companions" | "access";
      /**
       * Format: int64
       * @description The id of the record: of the shift for `waiting_list`, `exchanges`, `inquiries`, `forecast` and `companions`, of the event for `attendance`, of your entry for `own_waiting_list`, of your participation for `own_attendance`; for `own_exchanges`, `own_inquiries`, `availability` and `access` your own
       */
      id: number;
      /**
       * Format: int64
       * @description Grows with every change of the record
       */
      version: number;
      /**
       * @description `created`: the record is new; each is announced so at most once. `visible`: it existed before, and you may see it now, for example because a draft was published or an event was restored. `gone`: deleted, or you may no longer see it
       * @enum {string}
       */
      what: "created" | "visible" | "updated" | "gone";
      /** @description What happened, if one action concerned this record, for example `event.cancelled`; more may be added */
      cause: string | null;
      /** Format: date-time */
      at: string;
    };
    ChangeWithRecord: {
      /** @description Continue after this change with `after`; also the id of the event of a stream */
      cursor: string;
      /**
       * @description The kind of record. `waiting_list`, `exchanges`, `inquiries`, `forecast`: of a shift, for those who may change its event; `attendance`: of an event, for the same people. `own_` and `availability`, `companions`: your own. `access`: your own groups or permissions changed, or which participations of others you see
       * @enum {string}
       */
      kind: "event" | "shift" | "participation" | "user" | "event_type" | "qualification" | "group" | "resource" | "working_hours" | "waiting_list" | "exchanges" | "inquiries" | "forecast" | "attendance" | "own_waiting_list" | "own_exchanges" | "own_inquiries" | "own_attendance" | "availability" | "companions" | "access";
      /**
       * Format: int64
       * @description The id of the record: of the shift for `waiting_list`, `exchanges`, `inquiries`, `forecast` and `companions`, of the event for `attendance`, of your entry for `own_waiting_list`, of your participation for `own_attendance`; for `own_exchanges`, `own_inquiries`, `availability` and `access` your own
       */
      id: number;
      /**
       * Format: int64
       * @description Grows with every change of the record
       */
      version: number;
      /**
       * @description `created`: the record is new; each is announced so at most once. `visible`: it existed before, and you may see it now, for example because a draft was published or an event was restored. `gone`: deleted, or you may no longer see it
       * @enum {string}
       */
      what: "created" | "visible" | "updated" | "gone";
      /** @description What happened, if one action concerned this record, for example `event.cancelled`; more may be added */
      cause: string | null;
      /** Format: date-time */
      at: string;
      /** @description As the API answers the owner when the message is sent; null: the record is gone, or the owner may not read it (any more) */
      record: components["schemas"]["Event"] | components["schemas"]["Shift"] | components["schemas"]["Participation"] | components["schemas"]["UserinfoParticipation"] | components["schemas"]["UserProfile"] | components["schemas"]["EventType"] | components["schemas"]["CatalogueQualification"] | components["schemas"]["Group"] | components["schemas"]["Resource"] | components["schemas"]["WorkingHours"] | components["schemas"]["WaitingList"] | components["schemas"]["ShiftExchanges"] | components["schemas"]["ShiftInquiries"] | components["schemas"]["ShiftForecast"] | components["schemas"]["Attendance"] | components["schemas"]["OwnWaitingEntry"] | components["schemas"]["OwnExchanges"] | components["schemas"]["OwnInquiries"] | components["schemas"]["OwnAttendance"] | components["schemas"]["Availability"] | components["schemas"]["Companions"] | null;
    };
    Changes: {
      /** @description The cursor to continue with. It moves on even if there are no results */
      next: string;
      /** @description More can be read at once */
      has_more: boolean;
      results: components["schemas"]["Change"][];
    };
    Comment: {
      author: string;
      text: string;
      /** Format: date-time */
      created_at: string;
    };
    Companions: {
      /**
       * Format: int64
       * @description The id of the shift
       */
      id: number;
      /**
       * Format: int64
       * @description How many in all
       */
      may_bring: number;
      /** @description Whom you bring */
      companions: {
          /**
           * Format: int64
           * @description The id of the participation
           */
          id: number;
          name: string;
          /**
           * Format: int64
           * @description As of participations
           */
          state: number;
        }[];
    };
    /** @description Of the structure `complex` */
    ComplexConfiguration: {
      /** @description In years */
      minimum_age?: number | null;
      choose_preferred_unit?: boolean | null;
      starting_blocks?: ({
          /** @description Given by the server; send it back in changes */
          uuid?: string;
          /**
           * Format: int64
           * @description Of `/api/buildingblocks/`
           */
          building_block: number;
          label?: string | null;
          optional?: boolean | null;
          [key: string]: unknown;
        })[];
      [key: string]: unknown;
    };
    /** @description Of the flow `coupled` */
    CoupledConfiguration: {
      /**
       * Format: int64
       * @description The shift of the event whose people take part in this one, too
       */
      leader_shift_id?: number | null;
      /**
       * Format: int64
       * @description In a new event instead: the place of that shift in `shifts`
       */
      leader_shift_index?: number;
      [key: string]: unknown;
    };
    DeletedEvent: {
      /** Format: int64 */
      id: number;
      title: string;
      /**
       * Format: date-time
       * @description The earliest start of its shifts
       */
      start_time: string | null;
      /** Format: int64 */
      shift_count: number;
      /**
       * Format: int64
       * @description Requested and confirmed
       */
      participation_count: number;
      /** Format: date-time */
      deleted_at: string;
      /**
       * Format: date-time
       * @description When the event cannot be restored any more
       */
      removed_at: string;
    };
    DeletedEventPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["DeletedEvent"][];
    };
    Eligibility: {
      /** Format: int64 */
      shift: number;
      /** Format: int64 */
      event: number;
      /**
       * Format: int64
       * @description The own participation in any state
       */
      participation: number | null;
      state: {
        /** Format: int64 */
        value: number;
        label: string;
      } | null;
      sign_up: {
        allowed: boolean;
        /** @description Everything that speaks against it; empty if it is allowed */
        reasons: {
            code: string;
            detail: string;
          }[];
      };
      decline: {
        allowed: boolean;
        /** @description Everything that speaks against it; empty if it is allowed */
        reasons: {
            code: string;
            detail: string;
          }[];
      };
      /** @description Of times, wish, answers and comment of the own participation */
      change: {
        allowed: boolean;
        /** @description Everything that speaks against it; empty if it is allowed */
        reasons: {
            code: string;
            detail: string;
          }[];
      };
      /** @description null if the shift is not set up correctly */
      state_after_sign_up: {
        /** Format: int64 */
        value: number;
        label: string;
      } | null;
      /** @description Why an empty object is not enough to sign up; `pointer` is the key that is missing */
      needed: {
          pointer?: string;
          code: string;
          detail: string;
        }[];
      /** @description They do not prevent a sign-up */
      warnings: {
          code: string;
          detail: string;
        }[];
      /** Format: date-time */
      opens_at: string | null;
      /** Format: date-time */
      closes_at: string | null;
      times: {
        /** @description Whether `start_time` and `end_time` may differ from those of the shift */
        can_choose: boolean;
        /** Format: date-time */
        earliest: string;
        /** Format: date-time */
        latest: string;
        /**
         * Format: date-time
         * @description A sign-up must end by then, which is before the end of the shift
         */
        qualified_until: string | null;
      };
      /** @description null if there is nothing to choose */
      places: ({
        /** @enum {string} */
        kind: "team" | "unit";
        required: boolean;
        /** @description The present wish or place */
        wish: string | null;
        options: {
            /** @description The value for `wish` of a sign-up */
            wish: string;
            title: string;
          }[];
        /** @description Titles of places that are taken */
        full: string[];
        /** @description Titles of places for which the caller is not qualified */
        unqualified: string[];
      }) | null;
      questions: ({
          /** Format: int64 */
          id: number;
          /** @enum {string} */
          kind: "text" | "single" | "multiple";
          name: string;
          text: string;
          description: string;
          /** @description Empty for questions with a free text */
          choices: string[];
          required: boolean;
          /** @description Given or saved before; used if a sign-up does not answer the question */
          answer: (string | string[]) | null;
        })[];
    };
    Event: {
      /** Format: int64 */
      id: number;
      title: string;
      description: string | null;
      location: string;
      type: components["schemas"]["EventTypeReference"];
      /** Format: uri */
      frontend_url: string;
      /**
       * Format: date-time
       * @description The earliest start of its shifts
       */
      start_time: string | null;
      /**
       * Format: date-time
       * @description The latest end of its shifts
       */
      end_time: string | null;
      signup_stats: components["schemas"]["SignupStats"];
      shifts: components["schemas"]["Shift"][];
      /** @description Only with `include=participations` */
      participations?: components["schemas"]["Participation"][];
    };
    EventPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["Event"][];
    };
    EventType: {
      /** Format: int64 */
      id: number;
      title: string;
      /** @description Six hexadecimal digits after # */
      color: string;
      /**
       * Format: int64
       * @description Who sees the participants: 0 everybody who sees the event, 1 confirmed participants, 2 responsibles, 3 also visitors of partners
       */
      show_participant_data: number;
      default_description: string | null;
      /** @description Ids; participants need all of them */
      required_qualifications: number[];
      /** @description New events are shown to all groups */
      visible_for_all_groups: boolean;
      /** @description Ids of the groups that see new events; null without the permission to view event types */
      audience_groups: number[] | null;
      /** @description Ids of the groups that are responsible for new events; null without the permission to view event types */
      responsible_groups: number[] | null;
      /** @description Ids of the people who are responsible for new events; null without the permission to view event types */
      responsible_users: number[] | null;
      /**
       * Format: date-time
       * @description null: offered for new events
       */
      archived_at: string | null;
    };
    EventTypePage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["EventType"][];
    };
    EventTypeReference: {
      /** Format: int64 */
      id: number;
      title: string;
    };
    FederatedGuest: {
      /** Format: int64 */
      id: number;
      name: string;
      url: string;
      client_id: string;
      client_secret: string;
      /** @description The federation token, told this once */
      access_token: string;
      /** @description What the organisation of the host calls itself */
      host_name: string;
      /**
       * @description Told to those that sent the same field
       * @constant
       */
      turnout?: 1;
    };
    /** @description What changed for a partner instance since its cursor, each record as it is now. */
    FederationChanges: {
      cursor: string;
      /** @description False: there is more after this cursor */
      is_complete: boolean;
      /** @description The list begins anew: records that it does not name are gone */
      is_from_start: boolean;
      events: components["schemas"]["SharedEvent"][];
      /** @description No longer shared, cancelled, deleted, or over for two weeks */
      gone_events: number[];
      participations: {
          /** Format: int64 */
          id: number;
          /** Format: int64 */
          event: number;
          event_title: string;
          /** Format: int64 */
          shift: number;
          shift_label: string;
          /**
           * Format: int64
           * @description Number of the person at home
           */
          user: number;
          /** Format: int64 */
          state: number;
          start_time: string;
          end_time: string;
          no_show: boolean;
        }[];
      gone_participations: number[];
    };
    FillProposal: {
      /**
       * Format: int64
       * @description The id of the shift
       */
      id: number;
      /**
       * @description Whose people were considered: those who requested, or everyone who sees the event
       * @enum {string}
       */
      pool: "requested" | "everyone";
      /** @description No other proposal is better */
      is_optimal: boolean;
      places: ({
          label: string;
          is_required: boolean;
          /**
           * Format: int64
           * @description How many people the place needs
           */
          count: number;
          people: ({
              /**
               * Format: int64
               * @description null: without an account here
               */
              user: number | null;
              display_name: string;
              is_requested: boolean;
              /** @description Said that this time suits them */
              is_available: boolean;
              /** @description Nobody else could take the place */
              is_only: boolean;
              alternatives: ({
                  /**
                   * Format: int64
                   * @description null: without an account here
                   */
                  user: number | null;
                  display_name: string;
                  /** @description Has a shift at that time, or would exceed a limit */
                  is_used: boolean;
                })[];
            })[];
          /**
           * Format: int64
           * @description For how many nobody was found
           */
          missing: number;
          /** @description Why people considered cannot take the place, and how many of them */
          obstacles: {
            [key: string]: number;
          };
        })[];
    };
    Group: {
      /** Format: int64 */
      id: number;
      name: string;
      /** Format: int64 */
      member_count: number;
      /** @description Global permissions of the members */
      permissions: string[];
      /** @description Ids of the groups for which members may publish events */
      publish_for: number[];
      /** @description Ids of the groups about whose working hours members decide */
      decide_hours_for: number[];
    };
    GroupPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["Group"][];
    };
    /** @description A qualification that a person has or had. */
    HeldQualification: {
      /** Format: int64 */
      id: number;
      /** Format: int64 */
      user: number;
      /** Format: int64 */
      qualification_id: number;
      qualification: components["schemas"]["Qualification"];
      /**
       * Format: date-time
       * @description The last moment of its validity; null: unlimited
       */
      expires_at: string | null;
      /** @description Not expired */
      is_valid: boolean;
      /** @description Kept by another system, which may overwrite changes */
      externally_managed: boolean;
    };
    HeldQualificationPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["HeldQualification"][];
    };
    /** @description Of the flow `manual` */
    ManualConfiguration: {
      no_selfservice_explanation?: string | null;
      [key: string]: unknown;
    };
    /** @description Of the structure `named_teams` */
    NamedTeamsConfiguration: {
      /** @description In years */
      minimum_age?: number | null;
      choose_preferred_team?: boolean | null;
      teams?: ({
          /** @description Given by the server; send it back in changes */
          uuid?: string;
          title: string;
          /**
           * Format: int64
           * @description Everybody in the team needs it
           */
          qualification?: number | null;
          /** @description null: 0 */
          min_count?: number | null;
          /** @description null: unlimited */
          max_count?: number | null;
          [key: string]: unknown;
        })[];
      [key: string]: unknown;
    };
    NewWebhook: {
      /** Format: int64 */
      id: number;
      name: string;
      description: string;
      /** @description Where changes are sent: https, unless the operator permits other addresses */
      url: string;
      /** @description Kinds of changes that are sent */
      kinds: ("event" | "shift" | "participation" | "user" | "event_type" | "qualification" | "group" | "resource" | "working_hours" | "waiting_list" | "exchanges" | "inquiries" | "forecast" | "attendance" | "own_waiting_list" | "own_exchanges" | "own_inquiries" | "own_attendance" | "availability" | "companions" | "access")[];
      /** @description What the webhook may see, as with a token of its owner with these scopes */
      scopes: ("PUBLIC_READ" | "ME_READ" | "CONFIDENTIAL_READ")[];
      /** @description Each message contains the `record` as well, as the owner may read it with these scopes when the message is sent; null if it is gone */
      include_record: boolean;
      /** @description False: nothing is sent. When it is switched on again, it continues where it stopped */
      active: boolean;
      /**
       * Format: int64
       * @description Id of the user who made it and whose access decides what is sent
       */
      owner: number;
      /**
       * @description Why it was switched off: `gone`: the receiver answered 410; `failing`: all attempts of three days failed
       * @enum {string|null}
       */
      off_reason: "gone" | "failing" | null;
      /** Format: date-time */
      off_at: string | null;
      /**
       * Format: date-time
       * @description Until then, requests are signed with the secret before the last rotation, too
       */
      old_secret_until: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description Signs the requests (Standard Webhooks). Shown only in this response */
      secret: string;
    };
    Notification: {
      /** Format: int64 */
      id: number;
      /** @description A stable name, such as participation_state */
      kind: string;
      /** @description What happened, in the language of the request */
      text: string;
      comment: string | null;
      /** @description A message to participants; Markdown */
      message: {
        subject: string;
        text: string;
      } | null;
      event: {
        /** Format: int64 */
        id: number;
        title: string;
      } | null;
      /** Format: int64 */
      shift: number | null;
      /**
       * Format: uri
       * @description The page to open
       */
      url: string | null;
      /** @description No longer true, for example because the event is over */
      is_obsolete: boolean;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      read_at: string | null;
    };
    NotificationChoices: {
      kinds: {
          /** @description As in notifications */
          kind: string;
          label: string;
          mail: boolean;
          push: boolean;
          /** @description Cannot be switched off */
          required: boolean;
        }[];
      /**
       * Format: int64
       * @description Before a shift; null: as the organisation chose
       */
      reminder_hours: number | null;
    };
    NotificationPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["Notification"][];
    };
    OwnAttendance: {
      /**
       * Format: int64
       * @description The id of the participation
       */
      id: number;
      /** Format: date-time */
      arrived_at: string | null;
      /** Format: date-time */
      left_at: string | null;
      /** @description Planners have marked that you did not come */
      no_show: boolean;
    };
    OwnDetails: {
      display_name: string;
      /** @description In any usual form; stored as E.164 */
      phone: string | null;
      /** @description Whether people of the same shifts see the number */
      shows_phone: boolean;
      /** @description Whom to call in an emergency */
      emergency_name: string | null;
      /** @description In any usual form; stored as E.164 */
      emergency_phone: string | null;
    };
    OwnExchanges: {
      /** @description Searches that go on for your places */
      stand_ins: ({
          /** Format: int64 */
          shift: number;
          /** @enum {string} */
          state: "open" | "found";
          /**
           * Format: int64
           * @description How many people have been asked
           */
          asked: number;
          /**
           * Format: int64
           * @description How many people are to be asked in all
           */
          people: number;
          /**
           * Format: date-time
           * @description When the next people are asked
           */
          next_at: string | null;
        })[];
      /** @description Searches of others that wait for your answer */
      asked: {
          /** Format: int64 */
          id: number;
          /** Format: int64 */
          shift: number;
          label: string;
          /** Format: int64 */
          event: number;
          event_title: string;
          /** Format: date-time */
          start_time: string;
          /** Format: date-time */
          end_time: string;
          /** @description The name of the person whose place it is */
          seeker: string;
          message: string;
        }[];
      /** @description Proposals from and to you that are not decided */
      swaps: ({
          /** Format: int64 */
          id: number;
          /**
           * @description accepted: the other person agrees, and planners decide
           * @enum {string}
           */
          state: "open" | "accepted" | "declined" | "withdrawn" | "done" | "expired" | "refused" | "undone";
          /** Format: date-time */
          expires_at: string;
          /** @description Whose place in which shift; null: in an event that the caller does not see */
          proposer: {
            /** Format: int64 */
            user: number;
            display_name: string;
            /** Format: int64 */
            shift: number;
            /** Format: int64 */
            event: number;
            event_title: string;
            label: string;
          } | null;
          /** @description Whose place in which shift; null: in an event that the caller does not see */
          other: {
            /** Format: int64 */
            user: number;
            display_name: string;
            /** Format: int64 */
            shift: number;
            /** Format: int64 */
            event: number;
            event_title: string;
            label: string;
          } | null;
        })[];
    };
    OwnInquiries: {
      /** @description The earliest shift first */
      inquiries: ({
          /** Format: int64 */
          id: number;
          /** Format: int64 */
          shift: number;
          label: string;
          /** Format: int64 */
          event: number;
          event_title: string;
          /** Format: date-time */
          start_time: string;
          /** Format: date-time */
          end_time: string;
          message: string;
          /** @description null: a former planner */
          asked_by: string | null;
          /**
           * Format: date-time
           * @description When sign-up ends
           */
          answers_until: string;
        })[];
    };
    OwnPicture: {
      /** @description null: there is no picture */
      content_type: string | null;
      /** @description The picture in base64 */
      data: string | null;
    };
    OwnWaitingEntry: {
      /** Format: int64 */
      id: number;
      /** Format: int64 */
      shift: number;
      label: string;
      /** Format: int64 */
      event: number;
      event_title: string;
      /** Format: date-time */
      start_time: string;
      /** Format: date-time */
      end_time: string;
      /** @enum {string} */
      state: "waiting" | "offered" | "accepted" | "declined" | "expired" | "withdrawn";
      /**
       * Format: int64
       * @description 1 is the first; null: the person does not wait any more
       */
      position: number | null;
      /** Format: date-time */
      since: string;
      /**
       * Format: date-time
       * @description Until when an offered place is held
       */
      offered_until: string | null;
    };
    OwnWaitingEntryPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["OwnWaitingEntry"][];
    };
    Participation: {
      /** Format: int64 */
      id: number;
      /** Format: int64 */
      shift: number;
      /** Format: int64 */
      event: number;
      event_title: string;
      event_type: components["schemas"]["EventTypeReference"];
      state: {
        /** Format: int64 */
        value: number;
        label: string;
      };
      /**
       * Format: date-time
       * @description Individual, or else of the shift
       */
      start_time: string;
      /** Format: date-time */
      end_time: string;
      /** @description Seconds between the two */
      duration: number;
      structure_data: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description null for guests, visitors and placeholders
       */
      user: number | null;
      participant: {
        display_name: string;
        is_minor: boolean;
        /** @enum {string} */
        type: "LocalUserParticipant" | "GuestParticipant" | "FederatedParticipant" | "PlaceholderParticipant";
        qualifications: components["schemas"]["Qualification"][];
      };
    };
    ParticipationPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["Participation"][];
    };
    PlannedEvent: {
      /** Format: int64 */
      id: number;
      /** @enum {string} */
      state: "draft" | "published" | "cancelled";
      /** @description Ids of the groups that see the event */
      groups: number[];
      /** @description Ids of the groups whose members may change the event */
      responsible_groups: number[];
      /** @description Ids of the people who may change the event */
      responsible_users: number[];
    };
    PlannedShift: {
      /** Format: int64 */
      id: number;
      /** @description Ids of the questions that are asked at sign-up */
      questions: number[];
    };
    /** @description RFC 9457. `code` is stable, `title` and `detail` follow Accept-Language. */
    Problem: {
      /**
       * Format: uri
       * @description The code as a URN; the header `Link` with `rel="help"` leads to its explanation
       */
      type: string;
      title: string;
      status: number;
      detail: string;
      /** @enum {string} */
      code: "moved" | "bad_request" | "invalid_input" | "not_authenticated" | "invalid_token" | "permission_denied" | "insufficient_scope" | "network_not_allowed" | "origin_not_allowed" | "csrf_failed" | "recent_sign_in_required" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "refused" | "conflict" | "batch_failed" | "precondition_failed" | "gone" | "too_large" | "uri_too_long" | "unsupported_media_type" | "misdirected_request" | "idempotency_key_reused" | "precondition_required" | "too_many_requests" | "headers_too_large" | "internal_error" | "unavailable";
      /** @description Quote it when you ask for help */
      request_id: string;
      /**
       * @description With insufficient_scope: the scope that the token lacks
       * @enum {string}
       */
      required_scope?: "PUBLIC_READ" | "PUBLIC_WRITE" | "ME_READ" | "ME_WRITE" | "CONFIDENTIAL_READ" | "CONFIDENTIAL_WRITE";
      /** @description With `gone`: the cursor to go on with, after reading the lists again */
      next?: string;
      /** @description With `moved`: the address to send the request to */
      location?: string;
      /** @description Every input that is not valid */
      errors?: ({
          /** @description The query parameter */
          parameter?: string;
          /** @description The place in the body, a JSON pointer; empty for the whole body */
          pointer?: string;
          /** @description Stable; the catalogue of problems explains each. In a batch, that of the problem of the write. New ones can be added. */
          code: ("invalid_type" | "invalid_format" | "invalid_value" | "invalid_union" | "invalid_choice" | "invalid_key" | "invalid_text" | "too_small" | "too_big" | "not_multiple_of" | "unrecognized_keys" | "unknown_parameter" | "unknown_result" | "name_locked" | "custom" | "missing" | "invalid_element" | "invalid_time" | "ambiguous_time" | "null_character" | "too_many_values" | "unknown_field" | "invalid_cursor" | "cursor_with_offset" | "one_line" | "invalid" | "unreadable" | "not_a_date" | "wrong_weekday" | "not_a_time" | "not_a_deadline" | "skipped" | "ambiguous" | "too_long" | "not_one_line" | "not_a_number" | "too_many_companions" | "min_above_max" | "meeting_after_start" | "end_before_start" | "no_team" | "no_requirement" | "no_block" | "no_leader" | "leads_others" | "opens_after_closing" | "unknown_person" | "unknown_group" | "unknown_type" | "unknown_flow" | "unknown_structure" | "unknown_qualification" | "unknown_block" | "unknown_question" | "duplicate_uuid" | "not_publishable" | "no_shift" | "last_shift" | "too_many_questions" | "too_many_dates" | "no_dates" | "series_too_long" | "in_use" | "no_target" | "unknown_choice" | "audience_missing" | "unseen_shifts" | "cycle" | "name_missing" | "no_parts" | "no_positions" | "requirement_empty" | "at_least_many" | "at_least_wrong" | "too_large" | "too_many_rows" | "event_not_active" | "event_cancelled" | "configuration_broken" | "already_in" | "already_declined" | "rejected" | "may_not_leave" | "not_in" | "no_self_service" | "follows_other_shift" | "leader_missing" | "not_open_yet" | "closed" | "type_not_qualified" | "not_qualified" | "age_unknown" | "too_young" | "qualified_until" | "conflict" | "partial_conflict" | "limit_rest" | "limit_week" | "limit_nights" | "limit_minor_day" | "limit_minor_hour" | "limit_minor_alone" | "added_rule" | "full" | "wish_needed" | "wish_not_offered" | "answers_needed" | "answer_missing" | "answer_too_long" | "answer_not_offered" | "answer_not_asked" | "times_fixed" | "times_in_wrong_order" | "times_outside" | "times_unreadable" | "times_skipped" | "times_ambiguous" | "target_unknown" | "already_there" | "person_unknown" | "account_closed" | "name_empty" | "name_long" | "comment_long" | "reason_needed" | "who_unclear" | "needed" | "nothing_to_undo" | "undo_late" | "undo_changed" | "email_invalid" | "email_missing" | "email_needed" | "email_taken" | "email_locked" | "username_invalid" | "username_taken" | "day_invalid" | "date_of_birth_future" | "groups_locked" | "groups_unknown" | "is_staff_locked" | "is_staff_last" | "is_visible_locked" | "administrator" | "last_administrator" | "inactive" | "no_sign_in" | "self" | "already_held" | "bundles_unknown" | "targets_unknown" | "title_missing" | "rank_wrong" | "no_category" | "unknown_included" | "valid_months_wrong" | "amount_invalid" | "date_invalid" | "reason_missing" | "picture_large" | "past" | "changed_meanwhile" | "date_future" | "decided" | "own" | "external" | "unknown" | "bundles_last" | "always_sent" | "other_kind" | "no_name" | "no_kind" | "no_scope" | "long_name" | "long_description" | "long_url" | "unknown_kind" | "unknown_scope" | "scope_not_held" | "scope_missing" | "not_a_url" | "not_https" | "not_public" | "too_many" | "still_waiting" | "invalid_code" | "expired_code" | "picture_missing" | "picture_type" | "picture_unreadable" | "picture_pixels" | "picture_heic" | "phone_invalid" | "message_long" | "reason_long" | "line_off" | "line_closed" | "not_full" | "waiting_already" | "not_waiting" | "needs_form" | "expired" | "withdrawn" | "too_late" | "enough" | "filled" | "gone" | "off" | "no_place" | "begun" | "searching" | "not_searching" | "no_taker" | "other_cannot" | "swap_gone" | "swap_expired" | "nobody" | "not_open" | "ended" | "too_early" | "not_confirmed" | "order" | "name_taken" | "moved" | "bad_request" | "invalid_input" | "not_authenticated" | "invalid_token" | "permission_denied" | "insufficient_scope" | "network_not_allowed" | "origin_not_allowed" | "csrf_failed" | "recent_sign_in_required" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "refused" | "batch_failed" | "precondition_failed" | "uri_too_long" | "unsupported_media_type" | "misdirected_request" | "idempotency_key_reused" | "precondition_required" | "too_many_requests" | "headers_too_large" | "internal_error" | "unavailable") | string;
          detail: string;
        })[];
      /** @description Of a batch: the result of each write */
      results?: Record<string, never>[];
    };
    Qualification: {
      /** Format: uuid */
      uuid: string;
      title: string;
      abbreviation: string;
      /**
       * Format: uuid
       * @description Of the category
       */
      category: string;
      /** @description Everything that it includes, also through others; not itself */
      includes: string[];
    };
    QualificationCategory: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      title: string;
      /** @description Whether its qualifications are shown next to names */
      show_with_user: boolean;
      /**
       * Format: int64
       * @description Order on pages; equal ranks by title
       */
      rank: number;
    };
    QualificationCategoryPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["QualificationCategory"][];
    };
    /** @description Of the structure `qualification_mix` */
    QualificationMixConfiguration: {
      /** @description In years */
      minimum_age?: number | null;
      qualification_requirements?: ({
          /** Format: int64 */
          qualification?: number | null;
          /** @description null: 0 */
          min_count?: number | null;
          /** @description null: unlimited */
          max_count?: number | null;
          [key: string]: unknown;
        })[];
      [key: string]: unknown;
    };
    RemovedShift: {
      /** Format: int64 */
      id: number;
      /** Format: int64 */
      event_id: number;
      event_title: string;
      label: string;
      /** Format: date-time */
      start_time: string;
      /** Format: date-time */
      end_time: string;
      /** @enum {string} */
      state: "cancelled" | "deleted";
      /** @description Of a cancelled shift. Participants read it */
      reason: string | null;
      /** Format: date-time */
      removed_at: string;
      /**
       * Format: date-time
       * @description null: as long as the event exists
       */
      restorable_until: string | null;
    };
    RemovedShiftPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["RemovedShift"][];
    };
    Report: {
      /** Format: date */
      first_day: string;
      /**
       * Format: date
       * @description Included
       */
      last_day: string;
      shifts: ({
          /**
           * Format: date
           * @description The first day of the month within the period; null: all months
           */
          month: string | null;
          /**
           * Format: int64
           * @description The id of an event type; null: all types
           */
          type: number | null;
          /** Format: int64 */
          events: number;
          /** Format: int64 */
          shifts: number;
          /**
           * Format: int64
           * @description Places that the shifts need
           */
          needed: number;
          /**
           * Format: int64
           * @description Needed places that nobody filled
           */
          missing: number;
          /**
           * Format: int64
           * @description Shifts with missing people
           */
          short: number;
        })[];
      work: ({
          /**
           * Format: date
           * @description The first day of the month within the period; null: all months
           */
          month: string | null;
          /**
           * Format: int64
           * @description The id of an event type; null: all types
           */
          type: number | null;
          hours: number;
          /**
           * Format: int64
           * @description Confirmed participations that were kept
           */
          places: number;
          /** Format: int64 */
          people: number;
        })[];
      reliability: ({
          /**
           * Format: date
           * @description The first day of the month within the period; null: all months
           */
          month: string | null;
          /** Format: int64 */
          kept: number;
          /**
           * Format: int64
           * @description After they had been confirmed
           */
          declined: number;
          /**
           * Format: int64
           * @description Of these, within 48 hours before the start
           */
          late: number;
          /**
           * Format: int64
           * @description Without declining
           */
          absent: number;
        })[];
      /** @description People whose hours the caller sees, those with the most hours first */
      people: {
          /** Format: int64 */
          user: number;
          display_name: string;
          /** Format: int64 */
          shifts: number;
          hours: number;
          /** Format: int64 */
          declined: number;
          /** Format: int64 */
          late: number;
          /** Format: int64 */
          absent: number;
        }[];
      has_more_people: boolean;
    };
    Request: {
      /** Format: int64 */
      id: number;
      /** @description `working_hours`, `qualification`, `joining` or `profile` */
      kind: string;
      /**
       * Format: int64
       * @description Who asks
       */
      user: number;
      /** @enum {string} */
      state: "open" | "granted" | "failed" | "refused";
      /** @description What the person asks for */
      text: string;
      /** @description Of the decision */
      comment: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      decided_at: string | null;
    };
    RequestPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["Request"][];
    };
    Resource: {
      /** Format: int64 */
      id: number;
      title: string;
      category: components["schemas"]["ResourceCategory"];
    };
    ResourceCategory: {
      /** Format: int64 */
      id: number;
      name: string;
    };
    ResourceCategoryPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["ResourceCategory"][];
    };
    ResourcePage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["Resource"][];
    };
    /** @description Of the flows `request_confirm` and `instant_confirmation` */
    SelfServiceConfiguration: {
      /** @description A date-time or null; in writes also an ISO 8601 duration before the start */
      signup_from?: string | null;
      /** @description A date-time or null; in writes also an ISO 8601 duration before the start */
      signup_until?: string | null;
      /** @description The duration before the start from which `signup_from` follows */
      signup_from_rule?: string | null;
      /** @description The duration before the start from which `signup_until` follows */
      signup_until_rule?: string | null;
      user_can_decline_confirmed?: boolean | null;
      user_can_customize_signup_times?: boolean | null;
      /** @description From then on a change of a confirmed person is a request again; as `signup_until`. Of `request_confirm` */
      late_change_asks_again?: string | null;
      /** @description How many others each person may bring */
      user_can_bring?: number | null;
      [key: string]: unknown;
    };
    /** @description An event as a partner instance sees it. */
    SharedEvent: {
      /** Format: int64 */
      id: number;
      title: string;
      description: string | null;
      location: string;
      type: components["schemas"]["EventTypeReference"];
      /**
       * Format: date-time
       * @description The earliest start of its shifts
       */
      start_time: string | null;
      /**
       * Format: date-time
       * @description The latest end of its shifts
       */
      end_time: string | null;
      /**
       * Format: uri
       * @description Where people of the partner sign up
       */
      signup_url: string;
    };
    SharedEventPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["SharedEvent"][];
    };
    Shift: {
      /** Format: int64 */
      id: number;
      label: string;
      /** Format: int64 */
      event_id: number;
      event_title: string;
      /** Format: date-time */
      meeting_time: string;
      /** Format: date-time */
      start_time: string;
      /** Format: date-time */
      end_time: string;
      /** @description instant_confirmation, request_confirm, manual, coupled, or another */
      signup_flow_slug: string;
      /** @description Depends on the flow. */
      signup_flow_configuration: components["schemas"]["SelfServiceConfiguration"] | components["schemas"]["ManualConfiguration"] | components["schemas"]["CoupledConfiguration"] | {
        [key: string]: unknown;
      };
      /** @description uniform, qualification_mix, named_teams, complex, or another */
      structure_slug: string;
      /** @description Depends on the structure. */
      structure_configuration: components["schemas"]["UniformConfiguration"] | components["schemas"]["NamedTeamsConfiguration"] | components["schemas"]["QualificationMixConfiguration"] | components["schemas"]["ComplexConfiguration"] | {
        [key: string]: unknown;
      };
      signup_stats: components["schemas"]["SignupStats"];
      /** @description Only with `include=participations` */
      participations?: components["schemas"]["Participation"][];
    };
    ShiftExchanges: {
      /**
       * Format: int64
       * @description The id of the shift
       */
      id: number;
      /** @description The newest first */
      stand_ins: ({
          /** Format: int64 */
          id: number;
          /**
           * Format: int64
           * @description Who looks for somebody
           */
          user: number;
          display_name: string;
          /**
           * @description found: somebody wants the place, and planners decide
           * @enum {string}
           */
          state: "open" | "found" | "cancelled" | "done" | "expired" | "refused" | "undone";
          /**
           * Format: int64
           * @description How many people have been asked
           */
          asked: number;
          /**
           * Format: int64
           * @description How many people are to be asked in all
           */
          people: number;
          /** @description The name of who has the place now, or wants it */
          taken_by: string | null;
        })[];
      /** @description The newest first */
      swaps: ({
          /** Format: int64 */
          id: number;
          /**
           * @description accepted: the other person agrees, and planners decide
           * @enum {string}
           */
          state: "open" | "accepted" | "declined" | "withdrawn" | "done" | "expired" | "refused" | "undone";
          /** Format: date-time */
          expires_at: string;
          /** @description Whose place in which shift; null: in an event that the caller does not see */
          proposer: {
            /** Format: int64 */
            user: number;
            display_name: string;
            /** Format: int64 */
            shift: number;
            /** Format: int64 */
            event: number;
            event_title: string;
            label: string;
          } | null;
          /** @description Whose place in which shift; null: in an event that the caller does not see */
          other: {
            /** Format: int64 */
            user: number;
            display_name: string;
            /** Format: int64 */
            shift: number;
            /** Format: int64 */
            event: number;
            event_title: string;
            label: string;
          } | null;
        })[];
    };
    ShiftForecast: {
      /**
       * Format: int64
       * @description The id of the shift
       */
      id: number;
      /** @description null: the shift has as many people as it needs, begins within a day or in more than six weeks, or there are too few similar shifts */
      forecast: {
        /** @description It will probably lack people when it begins */
        will_stay_short: boolean;
        /**
         * Format: int64
         * @description Percent of the needed people who had usually signed up by now in similar shifts
         */
        usual_percent: number;
        /**
         * Format: int64
         * @description So many people or more will be confirmed in four of five cases
         */
        low: number;
        /**
         * Format: int64
         * @description The most probable number of confirmed people when it begins
         */
        middle: number;
        /**
         * Format: int64
         * @description More people than these will be confirmed in one of five cases
         */
        high: number;
        /**
         * Format: int64
         * @description The number of past shifts of the same type that it is compared with
         */
        compared_with: number;
      } | null;
    };
    ShiftInquiries: {
      /**
       * Format: int64
       * @description The id of the shift
       */
      id: number;
      /**
       * Format: date-time
       * @description When sign-up ends, as it is now, and links stop to count
       */
      answers_until: string;
      /** @description The newest first */
      inquiries: ({
          /** Format: int64 */
          id: number;
          /** Format: date-time */
          created_at: string;
          message: string;
          /**
           * Format: int64
           * @description It ends when so many can
           */
          wanted: number;
          /**
           * Format: date-time
           * @description When the next people are asked
           */
          next_wave_at: string | null;
          /** Format: date-time */
          ended_at: string | null;
          /** @enum {string|null} */
          end_reason: "stopped" | "enough" | "cancelled" | "closed" | "everybody" | null;
          /** @description In the order in which they are asked */
          people: ({
              /** Format: int64 */
              user: number;
              display_name: string;
              /**
               * Format: date-time
               * @description null: not asked yet
               */
              asked_at: string | null;
              /**
               * Format: date-time
               * @description Since when the person is not needed any more
               */
              withdrawn_at: string | null;
              /**
               * @description By the link, or by signing up or declining; null: no answer yet
               * @enum {string|null}
               */
              answer: "can" | "cannot" | "too_late" | null;
              /** Format: date-time */
              answered_at: string | null;
              /** @description What the person wrote with the answer */
              reason: string;
            })[];
        })[];
    };
    ShiftPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["Shift"][];
    };
    Shortages: {
      /** @description There are more than are listed; ask for a shorter time */
      has_more: boolean;
      /** @description By start */
      shortages: ({
          /** Format: int64 */
          shift: number;
          label: string;
          /** Format: int64 */
          event: number;
          event_title: string;
          /** Format: date-time */
          start_time: string;
          /** Format: date-time */
          end_time: string;
          /**
           * Format: int64
           * @description The most people who are missing at the same time
           */
          missing: number;
          /** @description People sign up themselves */
          signs_up: boolean;
          /**
           * Format: date-time
           * @description Until when they do
           */
          closes_at: string | null;
          /** @description null: the shift has as many people as it needs, begins within a day or in more than six weeks, or there are too few similar shifts */
          forecast: {
            /** @description It will probably lack people when it begins */
            will_stay_short: boolean;
            /**
             * Format: int64
             * @description Percent of the needed people who had usually signed up by now in similar shifts
             */
            usual_percent: number;
            /**
             * Format: int64
             * @description So many people or more will be confirmed in four of five cases
             */
            low: number;
            /**
             * Format: int64
             * @description The most probable number of confirmed people when it begins
             */
            middle: number;
            /**
             * Format: int64
             * @description More people than these will be confirmed in one of five cases
             */
            high: number;
            /**
             * Format: int64
             * @description The number of past shifts of the same type that it is compared with
             */
            compared_with: number;
          } | null;
        })[];
    };
    /** @description Counts all participations, whoever asks. */
    SignupStats: {
      /** Format: int64 */
      requested_count: number;
      /** Format: int64 */
      confirmed_count: number;
      /** Format: int64 */
      missing: number;
      /**
       * Format: int64
       * @description null: unlimited
       */
      free: number | null;
      /** Format: int64 */
      min_count: number | null;
      /**
       * Format: int64
       * @description null: unlimited
       */
      max_count: number | null;
    };
    SwapPlaces: {
      /**
       * Format: int64
       * @description The id of the shift
       */
      id: number;
      /** @description Those that you could have, whose people could have yours; the earliest first */
      places: {
          /**
           * Format: int64
           * @description For `place` of a proposal
           */
          id: number;
          /** Format: int64 */
          user: number;
          display_name: string;
          /** Format: int64 */
          shift: number;
          label: string;
          /** Format: int64 */
          event: number;
          event_title: string;
          location: string;
          /** Format: date-time */
          start_time: string;
          /** Format: date-time */
          end_time: string;
        }[];
    };
    /** @description Of the structure `uniform` */
    UniformConfiguration: {
      /** @description In years */
      minimum_age?: number | null;
      /** @description null: 0 */
      minimum_number_of_participants?: number | null;
      /** @description null: unlimited */
      maximum_number_of_participants?: number | null;
      /** @description Everybody needs all of them */
      required_qualification_ids?: number[] | null;
      [key: string]: unknown;
    };
    UserProfile: {
      /** Format: int64 */
      id: number;
      display_name: string;
      /** Format: date */
      date_of_birth: string | null;
      email: string;
      /** @description Granted and not expired */
      qualifications: components["schemas"]["Qualification"][];
    };
    UserProfilePage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["UserProfile"][];
    };
    UserinfoParticipation: {
      /** Format: int64 */
      id: number;
      /** Format: int64 */
      shift: number;
      /** Format: int64 */
      event: number;
      event_title: string;
      event_type: components["schemas"]["EventTypeReference"];
      state: {
        /** Format: int64 */
        value: number;
        label: string;
      };
      /** @description Oldest first; those that the caller may see */
      comments: components["schemas"]["Comment"][];
      /**
       * Format: date-time
       * @description Individual, or else of the shift
       */
      start_time: string;
      /** Format: date-time */
      end_time: string;
      /** @description Seconds between the two */
      duration: number;
      structure_data: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description null for guests, visitors and placeholders
       */
      user: number | null;
      participant: {
        display_name: string;
        is_minor: boolean;
        /** @enum {string} */
        type: "LocalUserParticipant" | "GuestParticipant" | "FederatedParticipant" | "PlaceholderParticipant";
        qualifications: components["schemas"]["Qualification"][];
        email: string | null;
        /** Format: date */
        date_of_birth: string | null;
        /** Format: int64 */
        age: number | null;
      };
    };
    UserinfoParticipationPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["UserinfoParticipation"][];
    };
    /** @description Where a person of the partner stands on a shift here. */
    VisitorParticipation: {
      /** Format: int64 */
      event: number;
      /** Format: int64 */
      shift: number;
      shift_label: string;
      /**
       * Format: int64
       * @description Number of the person at home
       */
      user: number;
      /** Format: int64 */
      state: number;
      start_time: string;
      end_time: string;
    };
    VisitorParticipationPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["VisitorParticipation"][];
    };
    WaitingList: {
      /**
       * Format: int64
       * @description Of the shift
       */
      id: number;
      /**
       * @description automatic: free places are offered in order; manual: by planners
       * @enum {string}
       */
      mode: "automatic" | "manual" | "closed";
      /** @description Those who wait come first, in their order */
      entries: ({
          /** Format: int64 */
          id: number;
          /** Format: int64 */
          user: number;
          display_name: string;
          /** @enum {string} */
          state: "waiting" | "offered" | "accepted" | "declined" | "expired" | "withdrawn";
          /** Format: date-time */
          since: string;
          /**
           * Format: date-time
           * @description Until when an offered place is held
           */
          offered_until: string | null;
          /** @description Why others got a place first: a reason against a sign-up, or not_available */
          passed_over: string | null;
        })[];
    };
    Webhook: {
      /** Format: int64 */
      id: number;
      name: string;
      description: string;
      /** @description Where changes are sent: https, unless the operator permits other addresses */
      url: string;
      /** @description Kinds of changes that are sent */
      kinds: ("event" | "shift" | "participation" | "user" | "event_type" | "qualification" | "group" | "resource" | "working_hours" | "waiting_list" | "exchanges" | "inquiries" | "forecast" | "attendance" | "own_waiting_list" | "own_exchanges" | "own_inquiries" | "own_attendance" | "availability" | "companions" | "access")[];
      /** @description What the webhook may see, as with a token of its owner with these scopes */
      scopes: ("PUBLIC_READ" | "ME_READ" | "CONFIDENTIAL_READ")[];
      /** @description Each message contains the `record` as well, as the owner may read it with these scopes when the message is sent; null if it is gone */
      include_record: boolean;
      /** @description False: nothing is sent. When it is switched on again, it continues where it stopped */
      active: boolean;
      /**
       * Format: int64
       * @description Id of the user who made it and whose access decides what is sent
       */
      owner: number;
      /**
       * @description Why it was switched off: `gone`: the receiver answered 410; `failing`: all attempts of three days failed
       * @enum {string|null}
       */
      off_reason: "gone" | "failing" | null;
      /** Format: date-time */
      off_at: string | null;
      /**
       * Format: date-time
       * @description Until then, requests are signed with the secret before the last rotation, too
       */
      old_secret_until: string | null;
      /** Format: date-time */
      created_at: string;
    };
    WebhookDelivery: {
      /** Format: int64 */
      id: number;
      /** @description The header `webhook-id`: the cursor of the change */
      message_id: string;
      /** @description Kind of the record, or `test` */
      kind: string;
      /** Format: int64 */
      record_id: number;
      what: string;
      /**
       * @description `waiting`: attempted again later. `failed`: a test, or one that was sent again, was not accepted. `skipped`: the owner may no longer see the record. `refused`: the receiver refused it five times, so the next changes were sent
       * @enum {string}
       */
      state: "waiting" | "delivered" | "failed" | "skipped" | "refused";
      /** Format: int64 */
      attempts: number;
      /**
       * Format: int64
       * @description Of the last response
       */
      status: number | null;
      /** @description Why there was no response, for example `too_slow` */
      error: string | null;
      /**
       * Format: int64
       * @description Of the last attempt
       */
      duration_ms: number | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      attempted_at: string | null;
    };
    WebhookDeliveryPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["WebhookDelivery"][];
    };
    WebhookPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["Webhook"][];
    };
    WorkingHours: {
      /** Format: int64 */
      id: number;
      /** Format: int64 */
      user: number;
      /** Format: date */
      date: string;
      /** @description With at most two decimals */
      hours: number;
      reason: string;
    };
    WorkingHoursPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["WorkingHours"][];
    };
    WorkingHoursRequest: {
      /** Format: int64 */
      id: number;
      /**
       * Format: date
       * @description null if an imported request has none
       */
      date: string | null;
      hours: number | null;
      reason: string;
      /** @enum {string} */
      state: "open" | "granted" | "failed" | "refused" | "withdrawn";
      /** @description Of the person who decided */
      comment: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      decided_at: string | null;
    };
    WorkingHoursRequestPage: {
      /** @description How many there are on all pages; null with `cursor` */
      count: number | null;
      /**
       * Format: uri
       * @description Address of the next page
       */
      next: string | null;
      /**
       * Format: uri
       * @description Address of the page before
       */
      previous: string | null;
      results: components["schemas"]["WorkingHoursRequest"][];
    };
    Written: {
      /**
       * Format: int64
       * @description Of the record, if it has one
       */
      id?: number;
      /** @description The ETag of the record, for If-Match; not in dry runs */
      version?: string;
    };
  };
  responses: never;
  parameters: {
    /** @description Results per page, at most 1000; more is taken as 1000. */
    limit?: number;
    /** @description Index of the first result. */
    offset?: number;
    /** @description Pages by position instead of offset: empty for the first page, then as in `next` and `previous`. Records that come or go while you page move nothing. `count` is null. Not together with `offset`; the filters must stay the same. */
    cursor?: string;
    /**
     * @description Judge the request and answer as if, but write nothing. The header `Dry-Run` says so, and the status of a record that would be created is 200.
     * @example true
     */
    dry_run?: boolean;
    /** @description A unique text of the client, for example a UUID. The answer to the first request is repeated for 24 hours, so that a request can be retried. */
    idempotency_key?: string;
    /** @description The ETag of the record as it was read, or `*`. */
    if_match?: string;
    /** @description The ETag of the record as it was read, or `*` to overwrite any version. */
    if_match_required: string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export interface operations {

  /**
   * Addresses of the lists
   * @description Needs any token of a person, or a session.
   */
  root_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `events,shifts,participations`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ApiRoot"];
        };
      };
    };
  };
  /**
   * Events the caller may see
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  events_list: {
    parameters: {
      query?: {
        /** @description Events of this type. */
        type?: number;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Fields to order by, separated by commas, with - for descending: start_time, end_time, title. */
        ordering?: string;
        /** @description Every word must occur in title, description or location, whatever its case; quotes keep words together. At most 50 different words. */
        search?: string;
        /** @description Changed at or after this time, also by its shifts, its participations or its type. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Adds related records to each record, under the same key. A page has at most 100 results then. `participations`: The requested and confirmed participations of the event that the caller sees, as in `/api/participations/`. Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
        include?: "participations";
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,description`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["EventPage"];
        };
      };
    };
  };
  /**
   * Create an event with its shifts, as a draft or published
   * @description Without groups, responsibles or description, the event gets those that its type suggests. A draft is at `/api/events/drafts/{id}/` until it is published.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, and the permission `add_event` of the person behind it, or a session.
   */
  events_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          title: string;
          location: string;
          /**
           * Format: int64
           * @description The id of an event type that is not archived
           */
          type: number;
          description?: string | null;
          guests_see_names?: boolean;
          /** @description Ids of the groups that see the event. You may publish for each of them, or it sees the event already. Groups that you may not publish for stay. */
          groups?: number[];
          /** @description Ids of the groups whose members may change the event */
          responsible_groups?: number[];
          /** @description Ids of the people who may change the event */
          responsible_users?: number[];
          /**
           * @description A coupled shift names its leader by leader_shift_index, the index in this list.
           * @default []
           */
          shifts?: ({
              /** Format: date-time */
              start_time: string;
              /**
               * Format: date-time
               * @description After the start
               */
              end_time: string;
              label?: string;
              /**
               * Format: date-time
               * @description null: the start
               */
              meeting_time?: string | null;
              /** @enum {string} */
              signup_flow_slug?: "request_confirm" | "instant_confirmation" | "manual" | "coupled";
              /** @description Depends on the flow. signup_from_rule and signup_until_rule, as records show them, replace signup_from and signup_until. Keys that are absent keep their values, unless the flow changes. */
              signup_flow_configuration?: components["schemas"]["SelfServiceConfiguration"] | components["schemas"]["ManualConfiguration"] | components["schemas"]["CoupledConfiguration"];
              /** @enum {string} */
              structure_slug?: "uniform" | "named_teams" | "qualification_mix" | "complex";
              /** @description Depends on the structure. Teams and starting blocks without a uuid get one. Keys that are absent keep their values, unless the structure changes. */
              structure_configuration?: components["schemas"]["UniformConfiguration"] | components["schemas"]["NamedTeamsConfiguration"] | components["schemas"]["QualificationMixConfiguration"] | components["schemas"]["ComplexConfiguration"];
              /** @description Ids of the questions that are asked at sign-up */
              questions?: number[];
            })[];
          /**
           * @description Otherwise the event is a draft
           * @default false
           */
          publish?: boolean;
        };
      };
    };
    responses: {
      /** @description The event, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Event"] | components["schemas"]["Written"];
        };
      };
      /** @description The event. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["Event"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One event
   * @description Filters act here, too: an event that does not match is not found.
   *
   * Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  events_retrieve: {
    parameters: {
      query?: {
        /** @description Events of this type. */
        type?: number;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Fields to order by, separated by commas, with - for descending: start_time, end_time, title. */
        ordering?: string;
        /** @description Every word must occur in title, description or location, whatever its case; quotes keep words together. At most 50 different words. */
        search?: string;
        /** @description Changed at or after this time, also by its shifts, its participations or its type. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description Adds related records to each record, under the same key. A page has at most 100 results then. `participations`: The requested and confirmed participations of the event that the caller sees, as in `/api/participations/`. Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
        include?: "participations";
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,description`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Event"];
        };
      };
    };
  };
  /**
   * Move an event to the bin
   * @description It can be restored for 30 days.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, and the permission `delete_event` of the person behind it, or a session.
   */
  events_delete: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description In the bin */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change an event
   * @description For those who are responsible for the event or may change all events. Keys that are absent stay as they are.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, or a session.
   */
  events_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          title?: string;
          description?: string | null;
          location?: string;
          guests_see_names?: boolean;
          /**
           * Format: int64
           * @description The id of an event type that is not archived
           */
          type?: number;
          /** @description Ids of the groups that see the event. You may publish for each of them, or it sees the event already. Groups that you may not publish for stay. */
          groups?: number[];
          /** @description Ids of the groups whose members may change the event */
          responsible_groups?: number[];
          /** @description Ids of the people who may change the event */
          responsible_users?: number[];
        };
      };
    };
    responses: {
      /** @description The event. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Event"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Drafts that the caller may change, the newest first
   * @description Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, and the permission `add_event` of the person behind it, or a session.
   */
  events_drafts_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,description`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["EventPage"];
        };
      };
    };
  };
  /**
   * One draft
   * @description Its ETag is the version for changes at `/api/events/{id}/`.
   *
   * Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, and the permission `add_event` of the person behind it, or a session.
   */
  events_drafts_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,description`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Event"];
        };
      };
    };
  };
  /**
   * Deleted events that the caller may restore, the last deleted first
   * @description Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, and the permission `delete_event` of the person behind it, or a session.
   */
  events_bin_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,start_time`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["DeletedEventPage"];
        };
      };
    };
  };
  /**
   * Cancelled events that the caller could see, the last cancelled first
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  events_cancelled_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,description`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["CancelledEventPage"];
        };
      };
    };
  };
  /**
   * One cancelled event with its shifts and the reason
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  events_cancelled_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,description`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["CancelledEvent"];
        };
      };
    };
  };
  /**
   * The state of an event, who sees it and who is responsible
   * @description For those who may change the event. Also of drafts and cancelled events.
   *
   * Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, or a session.
   */
  events_planning_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,state,groups`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["PlannedEvent"];
        };
      };
    };
  };
  /**
   * Take an event out of the bin
   * @description Needs a token with the scope `PUBLIC_WRITE`, and the permission `delete_event` of the person behind it, or a session.
   */
  events_restore_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The event. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Event"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Publish a draft
   * @description A draft without shifts is refused with `no_shift`. A published event stays as it is.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, and the permission `add_event` of the person behind it, or a session.
   */
  events_publish_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The event. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Event"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Cancel an event, or change the reason
   * @description A cancelled event does not appear in the lists of the API any more; pages show it with the reason.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, or a session.
   */
  events_cancel_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Participants read it */
          reason: string;
        };
      };
    };
    responses: {
      /** @description The event. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Event"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Take back that an event was cancelled
   * @description Needs a token with the scope `PUBLIC_WRITE`, or a session.
   */
  events_reopen_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The event. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Event"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Make one draft per date, without participations
   * @description The first shift of each copy starts on its date. At most 1000 dates.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, and the permission `add_event` of the person behind it, or a session.
   */
  events_duplicate_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @default [] */
          dates?: string[];
          /** @description Adds the dates of a rule */
          recurrence?: {
            /** Format: date */
            first: string;
            /** @enum {string} */
            every: "day" | "week" | "month";
            /**
             * Format: int64
             * @default 1
             */
            interval?: number;
            /**
             * Format: int64
             * @description How many dates, with the first
             */
            times?: number;
            /**
             * Format: date
             * @description The last possible date
             */
            until?: string;
          };
        };
      };
    };
    responses: {
      /** @description The drafts, as a dry run would create it; there is no record of its id */
      200: {
        content: {
          "application/json": {
            /** @description Of the drafts, in the order of their dates */
            ids: number[];
          };
        };
      };
      /** @description The drafts */
      201: {
        content: {
          "application/json": {
            /** @description Of the drafts, in the order of their dates */
            ids: number[];
          };
        };
      };
    };
  };
  /**
   * Who came, left or stayed away
   * @description For those who may change the event. Drafts have nobody to check in.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  events_attendance_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,entries`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Attendance"];
        };
      };
    };
  };
  /**
   * Check people in and out
   * @description For those who may change the event. All marks are stored, or none. Refused with `unknown`, `not_confirmed`, `order` (leaves before arriving).
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  events_attendance_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          marks: ({
              /** Format: int64 */
              participation: number;
              /**
               * @description none: takes back what was marked
               * @enum {string}
               */
              mark: "arrived" | "left" | "no_show" | "none";
              /**
               * Format: date-time
               * @description Of arriving and leaving; now, if absent or in the future
               */
              at?: string;
            })[];
        };
      };
    };
    responses: {
      /** @description The attendance of the event. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Attendance"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Figures of a period: shifts, hours, reliability, people
   * @description Of events that the caller plans, until today. Without a period, the last twelve months; at most 36 months.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  reports_retrieve: {
    parameters: {
      query?: {
        /** @description The first day, not after today. */
        first_day?: string;
        /** @description The last day, not before the first; a later one than today counts as today. */
        last_day?: string;
        /** @description Only events of the type with this id. */
        type?: number;
        /** @description Only events that are meant for the group with this id. */
        group?: number;
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `first_day,last_day,shifts`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Report"];
        };
      };
    };
  };
  /**
   * Shifts of events the caller may see
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  shifts_list: {
    parameters: {
      query?: {
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Fields to order by, separated by commas, with - for descending: id, label, event_id, event__title, meeting_time, start_time, end_time, signup_flow_slug, structure_slug, signup_flow_configuration, structure_configuration. */
        ordering?: string;
        /** @description Every word must occur in the label or the title of the event, whatever its case; quotes keep words together. At most 50 different words. */
        search?: string;
        /** @description In an event that changed at or after this time, also by another shift of it. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Adds related records to each record, under the same key. A page has at most 100 results then. `participations`: The requested and confirmed participations of the shift that the caller sees, as in `/api/participations/`. Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
        include?: "participations";
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,label,event_id`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ShiftPage"];
        };
      };
    };
  };
  /**
   * One shift
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  shifts_retrieve: {
    parameters: {
      query?: {
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Fields to order by, separated by commas, with - for descending: id, label, event_id, event__title, meeting_time, start_time, end_time, signup_flow_slug, structure_slug, signup_flow_configuration, structure_configuration. */
        ordering?: string;
        /** @description Every word must occur in the label or the title of the event, whatever its case; quotes keep words together. At most 50 different words. */
        search?: string;
        /** @description In an event that changed at or after this time, also by another shift of it. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description Adds related records to each record, under the same key. A page has at most 100 results then. `participations`: The requested and confirmed participations of the shift that the caller sees, as in `/api/participations/`. Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
        include?: "participations";
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,label,event_id`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Shift"];
        };
      };
    };
  };
  /**
   * Delete a shift with its participations
   * @description For those who are responsible for the event or may change all events. Planners can restore it for a day. The last shift of an event is refused with `last_shift`.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, or a session.
   */
  shifts_delete: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description Deleted */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change a shift
   * @description For those who are responsible for the event or may change all events. Keys that are absent stay as they are, also those of the configurations.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, or a session.
   */
  shifts_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          label?: string;
          /**
           * Format: date-time
           * @description null: the start
           */
          meeting_time?: string | null;
          /** Format: date-time */
          start_time?: string;
          /**
           * Format: date-time
           * @description After the start
           */
          end_time?: string;
          /** @enum {string} */
          signup_flow_slug?: "request_confirm" | "instant_confirmation" | "manual" | "coupled";
          /** @description Depends on the flow. signup_from_rule and signup_until_rule, as records show them, replace signup_from and signup_until. Keys that are absent keep their values, unless the flow changes. */
          signup_flow_configuration?: components["schemas"]["SelfServiceConfiguration"] | components["schemas"]["ManualConfiguration"] | components["schemas"]["CoupledConfiguration"];
          /** @enum {string} */
          structure_slug?: "uniform" | "named_teams" | "qualification_mix" | "complex";
          /** @description Depends on the structure. Teams and starting blocks without a uuid get one. Keys that are absent keep their values, unless the structure changes. */
          structure_configuration?: components["schemas"]["UniformConfiguration"] | components["schemas"]["NamedTeamsConfiguration"] | components["schemas"]["QualificationMixConfiguration"] | components["schemas"]["ComplexConfiguration"];
          /** @description Ids of the questions that are asked at sign-up */
          questions?: number[];
        };
      };
    };
    responses: {
      /** @description The shift. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Shift"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Searches for stand-ins and proposed swaps of a shift
   * @description For those who may change the event.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  shifts_exchanges_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,stand_ins,swaps`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ShiftExchanges"];
        };
      };
    };
  };
  /**
   * Agree to a stand-in that two people found, or refuse it
   * @description For those who may change the event. Refused with `gone`, or the reasons against the person.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  shifts_stand_ins_decide_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The shift */
        shift: number;
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          agrees: boolean;
        };
      };
    };
    responses: {
      /** @description The exchanges of the shift. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["ShiftExchanges"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Agree to a swap that two people want, or refuse it
   * @description For those who may change the event. If the places are in two events, planners of both agree. Refused with `gone`, or the reasons against the people.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  shifts_swaps_decide_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The shift */
        shift: number;
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          agrees: boolean;
        };
      };
    };
    responses: {
      /** @description The exchanges of the shift. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["ShiftExchanges"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Cancelled and deleted shifts of events that go on, the last removed first
   * @description For those who may change the event: those that can be restored. For others: cancelled shifts that they had signed up for.
   *
   * Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  shifts_removed_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,event_id,event_title`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedShiftPage"];
        };
      };
    };
  };
  /**
   * One cancelled or deleted shift
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  shifts_removed_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,event_id,event_title`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedShift"];
        };
      };
    };
  };
  /**
   * The questions of a shift
   * @description For those who may change the event.
   *
   * Needs a token with the scope `PUBLIC_WRITE` and `PUBLIC_READ`, or a session.
   */
  shifts_planning_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,questions`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["PlannedShift"];
        };
      };
    };
  };
  /**
   * Add a shift to an event
   * @description For those who are responsible for the event or may change all events.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, or a session.
   */
  events_shifts_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** Format: date-time */
          start_time: string;
          /**
           * Format: date-time
           * @description After the start
           */
          end_time: string;
          label?: string;
          /**
           * Format: date-time
           * @description null: the start
           */
          meeting_time?: string | null;
          /** @enum {string} */
          signup_flow_slug?: "request_confirm" | "instant_confirmation" | "manual" | "coupled";
          /** @description Depends on the flow. signup_from_rule and signup_until_rule, as records show them, replace signup_from and signup_until. Keys that are absent keep their values, unless the flow changes. */
          signup_flow_configuration?: components["schemas"]["SelfServiceConfiguration"] | components["schemas"]["ManualConfiguration"] | components["schemas"]["CoupledConfiguration"];
          /** @enum {string} */
          structure_slug?: "uniform" | "named_teams" | "qualification_mix" | "complex";
          /** @description Depends on the structure. Teams and starting blocks without a uuid get one. Keys that are absent keep their values, unless the structure changes. */
          structure_configuration?: components["schemas"]["UniformConfiguration"] | components["schemas"]["NamedTeamsConfiguration"] | components["schemas"]["QualificationMixConfiguration"] | components["schemas"]["ComplexConfiguration"];
          /** @description Ids of the questions that are asked at sign-up */
          questions?: number[];
        };
      };
    };
    responses: {
      /** @description The shift, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Shift"] | components["schemas"]["Written"];
        };
      };
      /** @description The shift. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["Shift"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Cancel a shift of an event that goes on
   * @description For those who are responsible for the event or may change all events. It leaves the lists; its people are told the reason. The last shift of an event is refused with `last_shift`: cancel the event.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, or a session.
   */
  shifts_cancel_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Participants read it */
          reason: string;
        };
      };
    };
    responses: {
      /** @description As `/api/shifts/removed/{id}/`. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedShift"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Bring back a cancelled or deleted shift with its participations
   * @description For those who are responsible for the event or may change all events. A cancelled one at any time, a deleted one for a day: later it is refused with `too_late`.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, or a session.
   */
  shifts_restore_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The shift. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Shift"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Copy a shift to other days of its event, without participations
   * @description For those who are responsible for the event or may change all events. At most 1000 dates.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, or a session.
   */
  shifts_duplicate_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @default [] */
          dates?: string[];
          /** @description Adds the dates of a rule */
          recurrence?: {
            /** Format: date */
            first: string;
            /** @enum {string} */
            every: "day" | "week" | "month";
            /**
             * Format: int64
             * @default 1
             */
            interval?: number;
            /**
             * Format: int64
             * @description How many dates, with the first
             */
            times?: number;
            /**
             * Format: date
             * @description The last possible date
             */
            until?: string;
          };
        };
      };
    };
    responses: {
      /** @description The shifts, as a dry run would create it; there is no record of its id */
      200: {
        content: {
          "application/json": {
            /** @description Of the shifts, in the order of their dates */
            ids: number[];
          };
        };
      };
      /** @description The shifts */
      201: {
        content: {
          "application/json": {
            /** @description Of the shifts, in the order of their dates */
            ids: number[];
          };
        };
      };
    };
  };
  /**
   * Who was asked to take part in a shift, and what they answered
   * @description For those who may change the event; the last 20 inquiries.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  shifts_inquiries_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,answers_until,inquiries`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ShiftInquiries"];
        };
      };
    };
  };
  /**
   * Ask people whether they can take part in a shift
   * @description For those who may change the event. Only people who could sign up now are asked, and nobody more often than the organisation allows in a day. Refused with `nobody`, `not_open`.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  shifts_inquiries_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Ids of those to ask, in their order */
          people?: number[];
          /**
           * Format: int64
           * @description How many to ask of those who fit and come next, 1 by default; not together with `people`
           */
          count?: number;
          /**
           * Format: int64
           * @description It ends when so many can, 1 by default
           */
          wanted?: number;
          /** @description Absent: everybody at once */
          waves?: {
            /**
             * Format: int64
             * @description How many at a time
             */
            size: number;
            /**
             * Format: int64
             * @description Until the next ones are asked
             */
            hours: number;
          };
          message?: string;
        };
      };
    };
    responses: {
      /** @description The inquiries of the shift. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["ShiftInquiries"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Ask nobody else, and tell those who have not answered that they are not needed
   * @description For those who may change the event. Refused with `ended`.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  shifts_inquiries_stop_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The shift */
        shift: number;
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The inquiries of the shift. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["ShiftInquiries"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * How many people a shift will probably have when it begins
   * @description For those who may change the event. Made each hour from past shifts of the same event type, for types where their error in the past is at least a tenth smaller than that of “as full as now”.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  shifts_forecast_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,forecast`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ShiftForecast"];
        };
      };
    };
  };
  /**
   * Shifts that need people
   * @description Of events that the caller may change. Without bounds, those of the next 14 days.
   *
   * Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  shortages_retrieve: {
    parameters: {
      query?: {
        /** @description Starts at or after this time; now by default. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Events of this type. */
        type?: number;
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `has_more,shortages`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Shortages"];
        };
      };
    };
  };
  /**
   * Who could fill the open places of a shift
   * @description For those who plan the event, for coming shifts. It changes nothing: add the people with `POST /api/shifts/{id}/participations/`. The search can take some seconds.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  shifts_proposal_retrieve: {
    parameters: {
      query?: {
        /** @description Whom to consider; absent: those who requested, or everyone if nobody has. */
        pool?: "requested" | "everyone";
        /** @description Whether to fill places that are not required, too. */
        optional?: "true" | "false";
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,pool,is_optimal`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["FillProposal"];
        };
      };
    };
  };
  /**
   * Participations, requested and confirmed, without e-mail address and date of birth
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  participations_list: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        /** @description In these events, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        event?: number[];
        /** @description In these shifts, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        shift?: number[];
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ParticipationPage"];
        };
      };
    };
  };
  /**
   * One of: Participations, requested and confirmed, without e-mail address and date of birth
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  participations_retrieve: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        /** @description In these events, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        event?: number[];
        /** @description In these shifts, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        shift?: number[];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Participation"];
        };
      };
    };
  };
  /**
   * Confirm or reject a person, or change their times or place
   * @description For those who may change the event. In all states; keys that are absent stay as they are. There is no deletion: a person who should not take part is rejected.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  participations_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description 0: requested, 1: confirmed, 2: declined by the person, 3: rejected by a responsible
           * @enum {number}
           */
          state?: 0 | 1 | 2 | 3;
          /**
           * Format: date-time
           * @description Individual start; null: the start of the shift
           */
          start_time?: string | null;
          /**
           * Format: date-time
           * @description Individual end; null: the end of the shift
           */
          end_time?: string | null;
          /** @description Team or unit of the shift, as `structure_data` of its participations names it; empty: assigned by the structure */
          place?: string;
          /** @description Added to the participation */
          comment?: string;
          /** @description Only responsibles see the comment */
          comment_is_hidden?: boolean;
        };
      };
    };
    responses: {
      /** @description The participation, as `/api/participations/{id}/` shows it. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Participation"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Participations in all states, with user information
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  participations_userinfo_list: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        /** @description In these events, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        event?: number[];
        /** @description In these shifts, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        shift?: number[];
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipationPage"];
        };
      };
    };
  };
  /**
   * One of: Participations in all states, with user information
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  participations_userinfo_retrieve: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        /** @description In these events, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        event?: number[];
        /** @description In these shifts, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        shift?: number[];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipation"];
        };
      };
    };
  };
  /**
   * Add a person or a placeholder to a shift
   * @description For those who may change the event. A person who has a participation in the shift already, in any state, is refused with `already_there`.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  shifts_participations_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: int64
           * @description Id of the person
           */
          user?: number;
          /** @description Instead of a person: a name */
          placeholder?: string;
          /**
           * @description 0: requested, 1: confirmed, 2: declined by the person, 3: rejected by a responsible
           * @default 0
           * @enum {number}
           */
          state?: 0 | 1 | 2 | 3;
          /**
           * Format: date-time
           * @description Individual start; null: the start of the shift
           */
          start_time?: string | null;
          /**
           * Format: date-time
           * @description Individual end; null: the end of the shift
           */
          end_time?: string | null;
          /** @description Team or unit of the shift, as `structure_data` of its participations names it; empty: assigned by the structure */
          place?: string;
          /** @description Added to the participation */
          comment?: string;
          /** @description Only responsibles see the comment */
          comment_is_hidden?: boolean;
        };
      };
    };
    responses: {
      /** @description The participation, as `/api/participations/{id}/` shows it, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Participation"] | components["schemas"]["Written"];
        };
      };
      /** @description The participation, as `/api/participations/{id}/` shows it. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["Participation"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Comment on a participation
   * @description For those who may change the event.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  participations_comments_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          text: string;
          /**
           * @description Only responsibles see the comment
           * @default false
           */
          hide_from_participant?: boolean;
        };
      };
    };
    responses: {
      /** @description The comment, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Comment"] | components["schemas"]["Written"];
        };
      };
      /** @description The comment. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["Comment"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Keep a confirmed person who lost what the place needs
   * @description For those who may change the event. The person counts again. Changes nothing if the person counts already.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  participations_keep_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The participation, as `/api/participations/{id}/` shows it. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Participation"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * People whom planners can assign to a shift, and whether they fit
   * @description For people who may change the event. Active people in the list of profiles, guests of the event, and visitors who take part in it, by name.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  shifts_candidates_list: {
    parameters: {
      query?: {
        /** @description Every word must occur in name, and e-mail address for people who may view all profiles, whatever its case; quotes keep words together. At most 50 different words. */
        search?: string;
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `type,id,user`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["CandidatePage"];
        };
      };
    };
  };
  /**
   * Profiles of all people
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  users_list: {
    parameters: {
      query?: {
        /** @description Every word must occur in name or e-mail address, whatever its case; quotes keep words together. At most 50 different words. */
        search?: string;
        /** @description People with these e-mail addresses. May be repeated, or hold several addresses separated by commas; at most 100. */
        email?: string[];
        /** @description Whose profile or qualifications changed at or after this time. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,display_name,date_of_birth`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfilePage"];
        };
      };
    };
  };
  /**
   * Add a person
   * @description The person gets a mail with a link to choose a password. Administrators are appointed on the pages only.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `add_user` of the person behind it, or a session.
   */
  users_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          display_name: string;
          email: string;
          /** Format: date */
          date_of_birth?: string | null;
          /** @description In any usual form; stored as E.164 */
          phone?: string | null;
          /**
           * @description Of mails and pages
           * @enum {string}
           */
          language?: "en" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "uk";
          /** @description Ids. Without `change_group`, callers assign and remove only the groups that they are in; other groups stay */
          groups?: number[];
        };
      };
    };
    responses: {
      /** @description The profile, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfile"] | components["schemas"]["Written"];
        };
      };
      /** @description The profile. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["UserProfile"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * The profile of one person
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  users_retrieve: {
    parameters: {
      query?: {
        /** @description Every word must occur in name or e-mail address, whatever its case; quotes keep words together. At most 50 different words. */
        search?: string;
        /** @description People with these e-mail addresses. May be repeated, or hold several addresses separated by commas; at most 100. */
        email?: string[];
        /** @description Whose profile or qualifications changed at or after this time. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,display_name,date_of_birth`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfile"];
        };
      };
    };
  };
  /**
   * Delete a person and their personal data
   * @description Cannot be undone. Frees future places; past participations and hours stay without a name. People who are hidden from lists, such as service accounts, are managed on the pages only.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `delete_user` of the person behind it, or a session.
   */
  users_destroy: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description Deleted */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change a person
   * @description Keys that are absent stay as they are. Needs the permission `view_user`, too. People who are hidden from lists, such as service accounts, are managed on the pages only.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
   */
  users_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          display_name?: string;
          email?: string;
          /** Format: date */
          date_of_birth?: string | null;
          /** @description In any usual form; stored as E.164 */
          phone?: string | null;
          /**
           * @description Of mails and pages
           * @enum {string}
           */
          language?: "en" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "uk";
          /** @description Ids. Without `change_group`, callers assign and remove only the groups that they are in; other groups stay */
          groups?: number[];
        };
      };
    };
    responses: {
      /** @description The profile. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfile"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * The profile of the person with this e-mail address
   * @description Upper and lower case are the same.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  users_by_email_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,display_name,date_of_birth`. */
        fields?: string;
      };
      path: {
        /** @description The e-mail address */
        email: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfile"];
        };
      };
    };
  };
  /**
   * The profile of the caller
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,display_name,date_of_birth`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfile"];
        };
      };
    };
  };
  /**
   * Choose the language of pages and mails
   * @description Everything else in a profile is changed by the people who manage profiles.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          language?: "en" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "uk";
        };
      };
    };
    responses: {
      /** @description The profile. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfile"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * What people enter about themselves: name, phone, emergency contact
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_details_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `display_name,phone,shows_phone`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["OwnDetails"];
        };
      };
    };
  };
  /**
   * Change the own name, phone and emergency contact
   * @description Keys that are absent stay as they are. Refused with `name_locked` where others manage names.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_details_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          display_name?: string;
          /** @description In any usual form; stored as E.164 */
          phone?: string | null;
          /** @description Whether people of the same shifts see the number */
          shows_phone?: boolean;
          /** @description Whom to call in an emergency */
          emergency_name?: string | null;
          /** @description In any usual form; stored as E.164 */
          emergency_phone?: string | null;
        };
      };
    };
    responses: {
      /** @description The own details. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnDetails"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Close an account
   * @description Ends sessions and frees future places. Changes nothing if the account is inactive. Needs the permission `view_user`, too.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
   */
  users_deactivate_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The profile. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfile"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Open an account again
   * @description Changes nothing if the account is active. Needs the permission `view_user`, too.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
   */
  users_activate_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The profile. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfile"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * The caller's qualifications with their expiry, also expired ones
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_qualifications_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,user,qualification_id`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["HeldQualificationPage"];
        };
      };
    };
  };
  /**
   * One of: The caller's qualifications with their expiry, also expired ones
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_qualifications_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,user,qualification_id`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["HeldQualification"];
        };
      };
    };
  };
  /**
   * Qualifications of one person with their expiry, also expired ones
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  users_qualifications_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,user,qualification_id`. */
        fields?: string;
      };
      path: {
        /** @description The id of the person */
        user: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["HeldQualificationPage"];
        };
      };
    };
  };
  /**
   * Grant a qualification to a person
   * @description A qualification that the person has already, also an expired one, is refused with `already_held`: change that one.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
   */
  users_qualifications_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the person */
        user: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** Format: int64 */
          qualification_id: number;
          /**
           * Format: date
           * @description The last day of its validity, in the time zone of the instance; null: unlimited
           * @default null
           */
          until?: string | null;
        };
      };
    };
    responses: {
      /** @description The qualification of the person, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["HeldQualification"] | components["schemas"]["Written"];
        };
      };
      /** @description The qualification of the person. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["HeldQualification"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One of: Qualifications of one person with their expiry, also expired ones
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  users_qualifications_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,user,qualification_id`. */
        fields?: string;
      };
      path: {
        /** @description The id of the person */
        user: string;
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["HeldQualification"];
        };
      };
    };
  };
  /**
   * Withdraw a qualification of a person
   * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
   */
  users_qualifications_destroy: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the person */
        user: string;
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description Withdrawn */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change how long a person has a qualification
   * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_user` of the person behind it, or a session.
   */
  users_qualifications_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the person */
        user: string;
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date
           * @description The last day of its validity, in the time zone of the instance; null: unlimited
           */
          until: string | null;
        };
      };
    };
    responses: {
      /** @description The qualification of the person. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["HeldQualification"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * What the credential of this request may do
   * @description Scopes, permissions and groups of the caller, and which operations they open. Some operations also depend on the record, for example on whether the caller is responsible for the event.
   *
   * Needs any token of a person, or a session.
   */
  me_capabilities_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `credential,scopes,permissions`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Capabilities"];
        };
      };
    };
  };
  /**
   * When the caller can or cannot, as they said
   * @description Without the times of private calendars.
   *
   * Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_availability_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `weekly,days`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Availability"];
        };
      };
    };
  };
  /**
   * Say when you can or cannot
   * @description A list replaces what was said before; a list that is absent stays. Equal entries count once.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_availability_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Times of every week */
          weekly?: ({
              /** @enum {string} */
              kind: "cannot" | "can";
              /**
               * Format: int64
               * @description 1 is Monday
               */
              weekday: number;
              from: string;
              /** @description After `from`; 24:00 is the end of the day */
              until: string;
            })[];
          /** @description Whole days, without those that are over. They replace the weekly times */
          days?: ({
              /** @enum {string} */
              kind: "cannot" | "can";
              /** Format: date */
              first: string;
              /**
               * Format: date
               * @description Not before `first`
               */
              last: string;
            })[];
        };
      };
    };
    responses: {
      /** @description The availability. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Availability"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * The caller's participations in all states
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_participations_list: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        /** @description In these events, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        event?: number[];
        /** @description In these shifts, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        shift?: number[];
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipationPage"];
        };
      };
    };
  };
  /**
   * One of: The caller's participations in all states
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_participations_retrieve: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        /** @description In these events, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        event?: number[];
        /** @description In these shifts, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        shift?: number[];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipation"];
        };
      };
    };
  };
  /**
   * Change times, wish, answers or comment of an own participation
   * @description Keys that are absent stay as they are; a comment is added to those before. A late change can turn a confirmed participation into a request.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_participations_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date-time
           * @description Individual start; null: the start of the shift
           */
          start_time?: string | null;
          /**
           * Format: date-time
           * @description Individual end; null: the end of the shift
           */
          end_time?: string | null;
          /** @description Team or unit as `places` of the eligibility names it; null: no preference */
          wish?: string | null;
          /** @description Answers by the id of the question, as the eligibility lists them; null or an empty text: no answer */
          answers?: {
            [key: string]: (string | string[]) | null;
          };
          /** @description Suggest the answers in later sign-ups */
          save_answers?: boolean;
          comment?: string;
          /** @description Other participants see the comment, too */
          comment_is_public?: boolean;
        };
      };
    };
    responses: {
      /** @description The participation. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipation"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * The caller's participations in cancelled events, in all states
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_participations_cancelled_list: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipationPage"];
        };
      };
    };
  };
  /**
   * One of: The caller's participations in cancelled events, in all states
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_participations_cancelled_retrieve: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipation"];
        };
      };
    };
  };
  /**
   * Participations of one person in all states, without e-mail address and date of birth
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  users_participations_list: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        /** @description In these events, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        event?: number[];
        /** @description In these shifts, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        shift?: number[];
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
      path: {
        /** @description The id of the person */
        user: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ParticipationPage"];
        };
      };
    };
  };
  /**
   * One of: Participations of one person in all states, without e-mail address and date of birth
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  users_participations_retrieve: {
    parameters: {
      query?: {
        /** @description Participations in this state. */
        state?: 0 | 1 | 2 | 3 | 4;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        /** @description Changed at or after this time: the participation itself or its comments, not the person or the event. Deleted records are in the change feed only. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        modified_since?: string;
        /** @description In events of these types. May be repeated, or hold several ids separated by commas. */
        event_type?: number[];
        /** @description In these events, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        event?: number[];
        /** @description In these shifts, which the caller must be able to see. May be repeated, or hold several ids separated by commas. */
        shift?: number[];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,event`. */
        fields?: string;
      };
      path: {
        /** @description The id of the person */
        user: string;
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Participation"];
        };
      };
    };
  };
  /**
   * The own picture
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_picture_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `content_type,data`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["OwnPicture"];
        };
      };
    };
  };
  /**
   * Upload or remove the own picture
   * @description It is stored as from the page: turned upright, at most 1,024 pixels wide and high, without metadata such as the place. Not in a batch.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_picture_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description PNG, JPEG or WebP in base64, about 6 MB at most; null removes the picture */
          data: string | null;
        };
      };
    };
    responses: {
      /** @description The own picture. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnPicture"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * The caller's working hours that were entered by hand
   * @description Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.
   *
   * Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_working_hours_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,user,date`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHoursPage"];
        };
      };
    };
  };
  /**
   * Ask for working hours
   * @description Creates a request that others decide. The hours count once it is granted.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_working_hours_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date
           * @description Not in the future
           */
          date: string;
          hours: number;
          reason: string;
        };
      };
    };
    responses: {
      /** @description The request, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHoursRequest"] | components["schemas"]["Written"];
        };
      };
      /** @description The request. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["WorkingHoursRequest"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One of: The caller's working hours that were entered by hand
   * @description Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.
   *
   * Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_working_hours_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,user,date`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHours"];
        };
      };
    };
  };
  /**
   * The caller's requests for working hours, with their decisions
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_working_hours_requests_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,date,hours`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHoursRequestPage"];
        };
      };
    };
  };
  /**
   * One of the caller's requests for working hours
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_working_hours_requests_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,date,hours`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHoursRequest"];
        };
      };
    };
  };
  /**
   * Withdraw a request for working hours that nobody has decided
   * @description Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_working_hours_requests_withdraw_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The request. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHoursRequest"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * The caller's notifications, newest first
   * @description Without those about events that the caller can no longer see. Reading them here does not mark them as read.
   *
   * Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_notifications_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,kind,text`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["NotificationPage"];
        };
      };
    };
  };
  /**
   * One of the caller's notifications
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_notifications_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,kind,text`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Notification"];
        };
      };
    };
  };
  /**
   * Which notifications the caller gets by mail and push
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_notification_choices_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `kinds,reminder_hours`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["NotificationChoices"];
        };
      };
    };
  };
  /**
   * Choose which notifications come by mail and push
   * @description Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_notification_choices_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Kinds that are absent stay as they are */
          kinds?: ({
              kind: ("participation_state" | "participation_times" | "shift_moved" | "event_called_off" | "reminder" | "inquiry" | "place_offered" | "stand_in_wanted" | "stand_in_result" | "swap_proposed" | "swap_result" | "event_published" | "event_message" | "profile_changed" | "account_security" | "guardianship_ending" | "guardianship_ended" | "request_decided" | "qualification_received" | "qualification_expiring" | "participation_request" | "participation_change" | "participation_decline" | "participation_given_up" | "place_lapsed" | "stand_in_report" | "swap_report" | "participation_own_times" | "programme_changed" | "request_created" | "weekly_shortages" | "webhook_off") | string;
              mail?: boolean;
              push?: boolean;
            })[];
          /** @description Before a shift; null: as the organisation chose */
          reminder_hours?: number | null;
        };
      };
    };
    responses: {
      /** @description The choices. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["NotificationChoices"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Mark the caller's notifications as read
   * @description Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_notifications_read_all_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: int64
           * @description The newest one that was shown; absent: all of them
           */
          up_to?: number;
        };
      };
    };
    responses: {
      /** @description They are read */
      204: {
        content: never;
      };
    };
  };
  /**
   * Mark one of the caller's notifications as read
   * @description Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_notifications_read_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The notification. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Notification"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * What the caller can do about a shift, and why not
   * @description The same verdict as on the pages. A sign-up with an empty object succeeds if `sign_up.allowed` is true and `needed` is empty.
   *
   * Needs a token with the scope `ME_READ`, or a session.
   */
  shifts_eligibility_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `shift,event,participation`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Eligibility"];
        };
      };
    };
  };
  /**
   * Sign up for a shift
   * @description An empty object signs up with the defaults. Reasons against it are listed in `errors`, with the codes of the eligibility.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  shifts_signup_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date-time
           * @description Individual start; null: the start of the shift
           */
          start_time?: string | null;
          /**
           * Format: date-time
           * @description Individual end; null: the end of the shift
           */
          end_time?: string | null;
          /** @description Team or unit as `places` of the eligibility names it; null: no preference */
          wish?: string | null;
          /** @description Answers by the id of the question, as the eligibility lists them; null or an empty text: no answer */
          answers?: {
            [key: string]: (string | string[]) | null;
          };
          /** @description Suggest the answers in later sign-ups */
          save_answers?: boolean;
          comment?: string;
          /** @description Other participants see the comment, too */
          comment_is_public?: boolean;
        };
      };
    };
    responses: {
      /** @description The participation, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipation"] | components["schemas"]["Written"];
        };
      };
      /** @description The participation. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipation"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Decline a shift, or give up a place
   * @description Needs a token with the scope `ME_WRITE`, or a session.
   */
  shifts_decline_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          comment?: string;
        };
      };
    };
    responses: {
      /** @description The participation. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipation"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Take back the last own step: sign-up, decline or change of details
   * @description Within 60 seconds, if nobody has changed the participation since. Nobody is notified of what was taken back.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  shifts_undo_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The participation as it was before. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["UserinfoParticipation"] | components["schemas"]["Written"];
        };
      };
      /** @description There was no participation before */
      204: {
        content: never;
      };
    };
  };
  /**
   * Whom you bring to a shift
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  shifts_companions_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,may_bring,companions`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Companions"];
        };
      };
    };
  };
  /**
   * Say whom you bring to a shift
   * @description For those who take part and may bring others. The list replaces the one before. Refused with `not_in`, or the reasons against a sign-up or decline.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  shifts_companions_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The whole list: who is not in it leaves */
          companions: {
              /**
               * Format: int64
               * @description Of somebody in the list; absent: another person
               */
              id?: number;
              /** @description Absent or empty: without a name */
              name?: string;
            }[];
        };
      };
    };
    responses: {
      /** @description The companions. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Companions"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Own searches for stand-ins, searches in which you were asked, and swaps that wait for an answer
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_exchanges_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `stand_ins,asked,swaps`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["OwnExchanges"];
        };
      };
    };
  };
  /**
   * Look for somebody who takes your confirmed place
   * @description You keep it until somebody does. Refused with `off`, `no_place`, `begun`, `searching`, `no_taker`.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  shifts_stand_in_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description To those who are asked */
          message?: string;
          /**
           * Format: int64
           * @description How many people are asked at a time, 5 by default
           */
          size?: number;
          /** @description Ids of people whom you know, who are asked first */
          first?: number[];
        };
      };
    };
    responses: {
      /** @description The own exchanges. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnExchanges"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Stop looking for a stand-in, and keep the place
   * @description Refused with `not_searching`.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  shifts_stand_in_cancel_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The own exchanges. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnExchanges"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Take the place of somebody who looks for a stand-in, or not
   * @description For those who were asked, see `asked` of `/api/users/me/exchanges/`. Refused with `filled`, `gone`, `expired`, or the reasons against a sign-up. The same answer again changes nothing.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_stand_ins_answer_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          answer: "yes" | "no";
        };
      };
    };
    responses: {
      /** @description The own exchanges. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnExchanges"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Places of others for which you could exchange your confirmed place in a shift
   * @description Needs a token with the scope `ME_READ` and `CONFIDENTIAL_READ`, or a session.
   */
  shifts_swap_places_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,places`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["SwapPlaces"];
        };
      };
    };
  };
  /**
   * Propose to exchange your confirmed place for that of another person
   * @description Both keep their places until the other person agrees. Refused with `off`, `no_place`, `begun`, `gone`, `other_cannot`, `too_many`, or the reasons against you.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  shifts_swap_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: int64
           * @description Of `swap-places`
           */
          place: number;
          /** @description To the other person */
          message?: string;
        };
      };
    };
    responses: {
      /** @description The own exchanges. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnExchanges"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Agree to a swap that somebody proposed to you, or decline it
   * @description Refused with `swap_gone`, `swap_expired`, `other_cannot`, or the reasons against you. The same answer again changes nothing.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_swaps_answer_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          answer: "yes" | "no";
        };
      };
    };
    responses: {
      /** @description The own exchanges. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnExchanges"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Take back a swap that you proposed
   * @description Refused with `gone`.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_swaps_withdraw_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The own exchanges. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnExchanges"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * When you arrived at a shift on which you are confirmed, and left it
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_participations_attendance_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,arrived_at,left_at`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["OwnAttendance"];
        };
      };
    };
  };
  /**
   * Say that you are there, or that you leave
   * @description Where the event has self check-in by a button. What contradicts a mark of the planners is kept for them to decide. Refused with `off`, `too_early`, `too_late`.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_participations_attendance_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          mark: "arrived" | "left";
        };
      };
    };
    responses: {
      /** @description The own attendance. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnAttendance"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Questions of planners whether you can take part, which wait for your answer
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_inquiries_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `inquiries`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["OwnInquiries"];
        };
      };
    };
  };
  /**
   * Say that you can take part, which signs you up, or that you cannot
   * @description Refused with `too_late`, `enough`, `withdrawn`, `expired`, `needs_form` (sign up with details instead), or the reasons against it. The same answer again changes nothing.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_inquiries_answer_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          answer: "can" | "cannot";
          /** @description To the planners, if you cannot */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description What waits for an answer now. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnInquiries"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * All building blocks
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  buildingblocks_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,uuid,name`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["BuildingBlockPage"];
        };
      };
    };
  };
  /**
   * Create a building block
   * @description Needs a token with the scope `PUBLIC_WRITE`, and the permission `change_building_block` of the person behind it, or a session.
   */
  buildingblocks_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name: string;
          /** @enum {string} */
          block_type: "atomic" | "composite";
          /** @description Atomic blocks: more people than positions may join */
          allow_more?: boolean;
          /** @description Atomic blocks only. Rows that are absent are deleted. */
          positions?: {
              /**
               * Format: int64
               * @description Of a row that stays; without it, the row is new
               */
              id?: number;
              /** @default */
              label?: string;
              /** @default false */
              optional?: boolean;
              qualifications?: number[];
            }[];
          /** @description Composite blocks only. Rows that are absent are deleted. */
          sub_compositions?: {
              /**
               * Format: int64
               * @description Of a row that stays; without it, the row is new
               */
              id?: number;
              /** @default */
              label?: string;
              /** @default false */
              optional?: boolean;
              /**
               * Format: uuid
               * @description The uuid of the block that stands here
               */
              sub_block: string;
            }[];
          qualification_requirements?: {
              /**
               * Format: int64
               * @description Of a row that stays; without it, the row is new
               */
              id?: number;
              qualifications: number[];
              /**
               * @description Everybody in the block needs them
               * @default false
               */
              everyone?: boolean;
              /**
               * Format: int64
               * @description Otherwise, so many people need them
               * @default 0
               */
              at_least?: number;
            }[];
        };
      };
    };
    responses: {
      /** @description The building block, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["BuildingBlock"] | components["schemas"]["Written"];
        };
      };
      /** @description The building block. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["BuildingBlock"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One building block
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  buildingblocks_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,uuid,name`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["BuildingBlock"];
        };
      };
    };
  };
  /**
   * Delete a building block, and remove it from shifts and other blocks
   * @description Needs a token with the scope `PUBLIC_WRITE`, and the permission `change_building_block` of the person behind it, or a session.
   */
  buildingblocks_delete: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Confirms that current and upcoming shifts use the block; otherwise the write is refused with `unseen_shifts`
           * @default false
           */
          confirm_shifts?: boolean;
        };
      };
    };
    responses: {
      /** @description Deleted */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change a building block and every shift that uses it
   * @description Keys that are absent stay as they are. Lists replace the stored ones; rows keep their place by their id.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, and the permission `change_building_block` of the person behind it, or a session.
   */
  buildingblocks_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name?: string;
          /** @description Atomic blocks: more people than positions may join */
          allow_more?: boolean;
          /** @description Atomic blocks only. Rows that are absent are deleted. */
          positions?: {
              /**
               * Format: int64
               * @description Of a row that stays; without it, the row is new
               */
              id?: number;
              /** @default */
              label?: string;
              /** @default false */
              optional?: boolean;
              qualifications?: number[];
            }[];
          /** @description Composite blocks only. Rows that are absent are deleted. */
          sub_compositions?: {
              /**
               * Format: int64
               * @description Of a row that stays; without it, the row is new
               */
              id?: number;
              /** @default */
              label?: string;
              /** @default false */
              optional?: boolean;
              /**
               * Format: uuid
               * @description The uuid of the block that stands here
               */
              sub_block: string;
            }[];
          qualification_requirements?: {
              /**
               * Format: int64
               * @description Of a row that stays; without it, the row is new
               */
              id?: number;
              qualifications: number[];
              /**
               * @description Everybody in the block needs them
               * @default false
               */
              everyone?: boolean;
              /**
               * Format: int64
               * @description Otherwise, so many people need them
               * @default 0
               */
              at_least?: number;
            }[];
          /**
           * @description Confirms that current and upcoming shifts use the block; otherwise the write is refused with `unseen_shifts`
           * @default false
           */
          confirm_shifts?: boolean;
        };
      };
    };
    responses: {
      /** @description The building block. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["BuildingBlock"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * All event types, with archived ones
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  event_types_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,color`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["EventTypePage"];
        };
      };
    };
  };
  /**
   * Create an event type
   * @description The title is enough. Other settings need the permission to change event types, too.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, and the permission `add_event_type` of the person behind it, or a session.
   */
  event_types_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          title: string;
          /** @description Six hexadecimal digits after # */
          color?: string;
          /**
           * Format: int64
           * @description As in the record
           */
          show_participant_data?: number;
          default_description?: string | null;
          /** @description Ids; participants need all of them */
          required_qualifications?: number[];
          /** @description false needs audience_groups */
          visible_for_all_groups?: boolean;
          /** @description Ids of the groups that see new events, if not all do */
          audience_groups?: number[];
          /** @description Ids of the groups that are responsible for new events */
          responsible_groups?: number[];
          /** @description Ids of the people who are responsible for new events */
          responsible_users?: number[];
        };
      };
    };
    responses: {
      /** @description The event type, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["EventType"] | components["schemas"]["Written"];
        };
      };
      /** @description The event type. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["EventType"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One event type
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  event_types_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,color`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["EventType"];
        };
      };
    };
  };
  /**
   * Delete an event type that no event uses
   * @description A type that events use, also drafts and deleted ones, is refused with `in_use`.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, and the permission `delete_event_type` of the person behind it, or a session.
   */
  event_types_delete: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description Deleted */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change, archive or restore an event type
   * @description Keys that are absent stay as they are. New settings apply to new events.
   *
   * Needs a token with the scope `PUBLIC_WRITE`, and the permission `change_event_type` of the person behind it, or a session.
   */
  event_types_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          title?: string;
          /** @description Six hexadecimal digits after # */
          color?: string;
          /**
           * Format: int64
           * @description As in the record
           */
          show_participant_data?: number;
          default_description?: string | null;
          /** @description Ids; participants need all of them */
          required_qualifications?: number[];
          /** @description false needs audience_groups */
          visible_for_all_groups?: boolean;
          /** @description Ids of the groups that see new events, if not all do */
          audience_groups?: number[];
          /** @description Ids of the groups that are responsible for new events */
          responsible_groups?: number[];
          /** @description Ids of the people who are responsible for new events */
          responsible_users?: number[];
          /** @description Archived types are not offered for new events; existing events keep them */
          archived?: boolean;
        };
      };
    };
    responses: {
      /** @description The event type. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["EventType"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * The catalogue of qualifications
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  qualifications_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,uuid,title`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["CatalogueQualificationPage"];
        };
      };
    };
  };
  /**
   * Add a qualification
   * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `add_qualification` of the person behind it, or a session.
   */
  qualifications_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          title: string;
          abbreviation?: string;
          /** Format: int64 */
          category_id: number;
          /** @description Ids of the qualifications that it includes directly */
          direct_includes?: number[];
          /** @description For how many months it usually counts; null: without an end */
          valid_months?: number | null;
        };
      };
    };
    responses: {
      /** @description The qualification, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["CatalogueQualification"] | components["schemas"]["Written"];
        };
      };
      /** @description The qualification. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["CatalogueQualification"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One qualification
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  qualifications_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,uuid,title`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["CatalogueQualification"];
        };
      };
    };
  };
  /**
   * Delete a qualification
   * @description People lose it, unless it is moved. Refused with `needed` while upcoming shifts need it.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `delete_qualification` of the person behind it, or a session.
   */
  qualifications_destroy: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Qualifications that included this one include directly what it included
           * @default true
           */
          keep_transitivity?: boolean;
          /**
           * @description Holders get the qualification with this id instead
           * @default null
           */
          move_to?: number | null;
        };
      };
    };
    responses: {
      /** @description Deleted */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change a qualification
   * @description Keys that are absent stay as they are.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_qualification` of the person behind it, or a session.
   */
  qualifications_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          title?: string;
          abbreviation?: string;
          /** Format: int64 */
          category_id?: number;
          /** @description Ids of the qualifications that it includes directly */
          direct_includes?: number[];
          /** @description For how many months it usually counts; null: without an end */
          valid_months?: number | null;
        };
      };
    };
    responses: {
      /** @description The qualification. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["CatalogueQualification"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Categories of qualifications
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  qualification_categories_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,uuid,title`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["QualificationCategoryPage"];
        };
      };
    };
  };
  /**
   * Add a category of qualifications
   * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `add_qualification` of the person behind it, or a session.
   */
  qualification_categories_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          title: string;
          /** @description Whether its qualifications are shown next to names; true by default */
          show_with_user?: boolean;
          /**
           * Format: int64
           * @description Order on pages; equal ranks by title
           */
          rank?: number;
        };
      };
    };
    responses: {
      /** @description The category, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["QualificationCategory"] | components["schemas"]["Written"];
        };
      };
      /** @description The category. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["QualificationCategory"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One category of qualifications
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  qualification_categories_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,uuid,title`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["QualificationCategory"];
        };
      };
    };
  };
  /**
   * Delete a category without qualifications
   * @description Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `delete_qualification` of the person behind it, or a session.
   */
  qualification_categories_destroy: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description Deleted */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change a category of qualifications
   * @description Keys that are absent stay as they are.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_qualification` of the person behind it, or a session.
   */
  qualification_categories_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          title?: string;
          /** @description Whether its qualifications are shown next to names; true by default */
          show_with_user?: boolean;
          /**
           * Format: int64
           * @description Order on pages; equal ranks by title
           */
          rank?: number;
        };
      };
    };
    responses: {
      /** @description The category. Reading it: Needs a token with the scope `PUBLIC_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["QualificationCategory"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * All groups
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_group` of the person behind it, or a session.
   */
  groups_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,name,member_count`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["GroupPage"];
        };
      };
    };
  };
  /**
   * Add a group without members and permissions
   * @description Needs the permission `view_group`, too. What members may do is chosen on the pages only.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `add_group` of the person behind it, or a session.
   */
  groups_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name: string;
        };
      };
    };
    responses: {
      /** @description The group, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_group` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Group"] | components["schemas"]["Written"];
        };
      };
      /** @description The group. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_group` of the person behind it, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["Group"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One group
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_group` of the person behind it, or a session.
   */
  groups_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,name,member_count`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Group"];
        };
      };
    };
  };
  /**
   * Delete a group
   * @description Its members no longer see its events.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `delete_group` of the person behind it, or a session.
   */
  groups_destroy: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description Deleted */
      204: {
        content: never;
      };
    };
  };
  /**
   * Rename a group
   * @description Needs the permission `view_group`, too. What members may do is chosen on the pages only.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_group` of the person behind it, or a session.
   */
  groups_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name?: string;
        };
      };
    };
    responses: {
      /** @description The group. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_group` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Group"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Profiles of the members of one group
   * @description Needs the permission `view_group`, too.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_user` of the person behind it, or a session.
   */
  groups_members_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,display_name,date_of_birth`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["UserProfilePage"];
        };
      };
    };
  };
  /**
   * Add people to a group
   * @description People who are members already stay as they are. Needs the permission `view_group`, too.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_group` of the person behind it, or a session.
   */
  groups_members_add_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Ids of people */
          users: number[];
        };
      };
    };
    responses: {
      /** @description The group. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_group` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Group"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Remove people from a group
   * @description People who are no members stay as they are. Needs the permission `view_group`, too.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, and the permission `change_group` of the person behind it, or a session.
   */
  groups_members_remove_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Ids of people */
          users: number[];
        };
      };
    };
    responses: {
      /** @description The group. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, and the permission `view_group` of the person behind it, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Group"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Shifts for which the caller waits or has waited for a place, the newest first
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_waiting_list_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,label`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["OwnWaitingEntryPage"];
        };
      };
    };
  };
  /**
   * One entry of the caller on a waiting list
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  users_me_waiting_list_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,shift,label`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["OwnWaitingEntry"];
        };
      };
    };
  };
  /**
   * Who waits for a place in a shift
   * @description For those who may change the event.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  shifts_waiting_list_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,mode,entries`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["WaitingList"];
        };
      };
    };
  };
  /**
   * Wait for a place in a full shift
   * @description Refused with `line_off`, `line_closed`, `not_full`, `waiting_already`, or the reasons against a sign-up.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  shifts_waiting_list_join_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The own entry, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnWaitingEntry"] | components["schemas"]["Written"];
        };
      };
      /** @description The own entry. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["OwnWaitingEntry"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Leave the waiting list of a shift, and give up an offered place
   * @description Refused with `not_waiting`.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  shifts_waiting_list_leave_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The own entry. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnWaitingEntry"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Accept a place that is offered, or leave it to the next person
   * @description Refused with `expired`, `withdrawn`, `needs_form` (sign up with details instead), or the reasons against a sign-up. The same answer again changes nothing.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  users_me_waiting_list_answer_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          answer: "yes" | "no";
        };
      };
    };
    responses: {
      /** @description The own entry. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnWaitingEntry"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Vehicles, rooms and material that shifts can use
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  resources_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,category`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ResourcePage"];
        };
      };
    };
  };
  /**
   * One resource
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  resources_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,category`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Resource"];
        };
      };
    };
  };
  /**
   * Categories of resources
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  resource_categories_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,name`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ResourceCategoryPage"];
        };
      };
    };
  };
  /**
   * One category of resources
   * @description Needs a token with the scope `PUBLIC_READ`, or a session.
   */
  resource_categories_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,name`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["ResourceCategory"];
        };
      };
    };
  };
  /**
   * Ask to be told when something changes for the instance that the token was given to
   * @description A signed notice is sent to `/api/federation/notices/` of the instance. It says that there is something new, not what.
   *
   * Needs the federation token of a partner instance.
   */
  federation_subscribe: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Signs the notices to the guest, as in Standard Webhooks. It replaces the former one */
          secret: string;
        };
        "application/x-www-form-urlencoded": {
          /** @description Signs the notices to the guest, as in Standard Webhooks. It replaces the former one */
          secret: string;
        };
        "multipart/form-data": {
          /** @description Signs the notices to the guest, as in Standard Webhooks. It replaces the former one */
          secret: string;
        };
      };
    };
    responses: {
      /** @description Notices are signed with this secret from now on */
      204: {
        content: never;
      };
    };
  };
  /**
   * What changed for the instance that the token was given to
   * @description The cursor also says what the instance has: it is not told again of what it no longer sees. 409: it has not subscribed.
   *
   * Needs the federation token of a partner instance.
   */
  federation_changes: {
    requestBody: {
      content: {
        "application/json": {
          /** @description The cursor of the last answer; without one, from the start */
          after?: string;
        };
        "application/x-www-form-urlencoded": {
          /** @description The cursor of the last answer; without one, from the start */
          after?: string;
        };
        "multipart/form-data": {
          /** @description The cursor of the last answer; without one, from the start */
          after?: string;
        };
      };
    };
    responses: {
      /** @description The changes since the cursor */
      200: {
        content: {
          "application/json": components["schemas"]["FederationChanges"];
        };
      };
    };
  };
  /**
   * Name the people of the instance about whom nothing is to be told
   * @description Needs the federation token of a partner instance.
   */
  federation_objections: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Numbers of the people at home; all others no longer object */
          users: number[];
        };
        "application/x-www-form-urlencoded": {
          /** @description Numbers of the people at home; all others no longer object */
          users: number[];
        };
        "multipart/form-data": {
          /** @description Numbers of the people at home; all others no longer object */
          users: number[];
        };
      };
    };
    responses: {
      /** @description Nothing is told about these people */
      204: {
        content: never;
      };
    };
  };
  /**
   * Give up the place of a person of the instance
   * @description By the same rules as on the page for visitors. 409: they do not allow it.
   *
   * Needs the federation token of a partner instance.
   */
  federation_decline: {
    requestBody: {
      content: {
        "application/json": {
          /** Format: int64 */
          shift: number;
          /**
           * Format: int64
           * @description Number of the person at home
           */
          user: number;
        };
        "application/x-www-form-urlencoded": {
          /** Format: int64 */
          shift: number;
          /**
           * Format: int64
           * @description Number of the person at home
           */
          user: number;
        };
        "multipart/form-data": {
          /** Format: int64 */
          shift: number;
          /**
           * Format: int64
           * @description Number of the person at home
           */
          user: number;
        };
      };
    };
    responses: {
      /** @description The person no longer has the place, or had given it up before */
      204: {
        content: never;
      };
    };
  };
  /**
   * Say that something has changed at a host of this instance
   * @description Needs no credentials.
   */
  federation_notice: {
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uri
           * @description Address of the host
           */
          host: string;
          /** @description The place that the host has reached */
          cursor: string;
          /**
           * Format: int64
           * @description Seconds since 1970
           */
          timestamp: number;
          /** @description `v1,…` of Standard Webhooks, with the cursor as id, the timestamp, and the address of the host as body */
          signature: string;
        };
        "application/x-www-form-urlencoded": {
          /**
           * Format: uri
           * @description Address of the host
           */
          host: string;
          /** @description The place that the host has reached */
          cursor: string;
          /**
           * Format: int64
           * @description Seconds since 1970
           */
          timestamp: number;
          /** @description `v1,…` of Standard Webhooks, with the cursor as id, the timestamp, and the address of the host as body */
          signature: string;
        };
        "multipart/form-data": {
          /**
           * Format: uri
           * @description Address of the host
           */
          host: string;
          /** @description The place that the host has reached */
          cursor: string;
          /**
           * Format: int64
           * @description Seconds since 1970
           */
          timestamp: number;
          /** @description `v1,…` of Standard Webhooks, with the cursor as id, the timestamp, and the address of the host as body */
          signature: string;
        };
      };
    };
    responses: {
      /** @description The host is asked soon, if this is news */
      202: {
        content: never;
      };
    };
  };
  /**
   * Events shared with the instance that the token was given to
   * @description Needs the federation token of a partner instance.
   */
  federation_events_list: {
    parameters: {
      query?: {
        /** @description Events of this type. */
        type?: number;
        /** @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_after?: string;
        /** @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        start_time_before?: string;
        /** @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_after?: string;
        /** @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. */
        end_time_before?: string;
        /**
         * @deprecated
         * @description Starts at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_after`.
         */
        start_gte?: string;
        /**
         * @deprecated
         * @description Starts at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `start_time_before`.
         */
        start_lte?: string;
        /**
         * @deprecated
         * @description Ends at or after this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_after`.
         */
        end_gte?: string;
        /**
         * @deprecated
         * @description Ends at or before this time. A date or an ISO 8601 time; without an offset it is of the instance's zone. Inclusive. Deprecated: use `end_time_before`.
         */
        end_lte?: string;
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,title,description`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["SharedEventPage"];
        };
      };
    };
  };
  /**
   * Where people of the instance that the token was given to stand here
   * @description Needs the federation token of a partner instance.
   */
  federation_participations_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `event,shift,shift_label`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["VisitorParticipationPage"];
        };
      };
    };
  };
  /**
   * Redeem an invite code and become a guest of this instance
   * @description Needs no credentials.
   */
  federation_setup: {
    requestBody: {
      content: {
        "application/json": {
          /** @description What the organisation of the guest calls itself */
          name: string;
          /**
           * Format: uri
           * @description Exactly the address that the invitation is for
           */
          url: string;
          /** @description Of the OAuth application that the guest made for us */
          client_id: string;
          client_secret: string;
          /** @description The invite code; it is used up by the first success */
          code: string;
          /** @description Sent by instances that want to know where their people stand here */
          turnout?: string | number;
        };
        "application/x-www-form-urlencoded": {
          /** @description What the organisation of the guest calls itself */
          name: string;
          /**
           * Format: uri
           * @description Exactly the address that the invitation is for
           */
          url: string;
          /** @description Of the OAuth application that the guest made for us */
          client_id: string;
          client_secret: string;
          /** @description The invite code; it is used up by the first success */
          code: string;
          /** @description Sent by instances that want to know where their people stand here */
          turnout?: string | number;
        };
        "multipart/form-data": {
          /** @description What the organisation of the guest calls itself */
          name: string;
          /**
           * Format: uri
           * @description Exactly the address that the invitation is for
           */
          url: string;
          /** @description Of the OAuth application that the guest made for us */
          client_id: string;
          client_secret: string;
          /** @description The invite code; it is used up by the first success */
          code: string;
          /** @description Sent by instances that want to know where their people stand here */
          turnout?: string | number;
        };
      };
    };
    responses: {
      /** @description The guest, with its token */
      201: {
        content: {
          "application/json": components["schemas"]["FederatedGuest"];
        };
      };
    };
  };
  /**
   * End the link to the instance that the token was given to
   * @description Events are no longer shared with it and its token ends. Places that its people had stay, without their names.
   *
   * Needs the federation token of a partner instance.
   */
  federation_guest_delete: {
    responses: {
      /** @description The link has ended */
      204: {
        content: never;
      };
    };
  };
  /**
   * Requests that the caller decides about, also decided ones
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  requests_list: {
    parameters: {
      query?: {
        /** @description Requests in this state. */
        state?: "open" | "granted" | "failed" | "refused";
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,kind,user`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["RequestPage"];
        };
      };
    };
  };
  /**
   * One request that the caller decides about
   * @description Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  requests_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,kind,user`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Request"];
        };
      };
    };
  };
  /**
   * Approve a request, and do what was asked for
   * @description Also a rejected one. If it cannot be carried out, its state is `failed`, with the cause in `comment`. For those who decide such requests.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  requests_approve_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @default */
          comment?: string;
        };
      };
    };
    responses: {
      /** @description The request. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Request"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Reject a request
   * @description The person gets the comment. For those who decide such requests.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  requests_reject_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @default */
          comment?: string;
        };
      };
    };
    responses: {
      /** @description The request. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Request"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Working hours that were entered by hand, of people whose hours the caller sees or decides about
   * @description Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  working_hours_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,user,date`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHoursPage"];
        };
      };
    };
  };
  /**
   * Enter working hours of a person
   * @description For those who decide about the person's working hours.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  working_hours_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: int64
           * @description Id of the person
           */
          user: number;
          /**
           * Format: date
           * @description A day until today
           */
          date: string;
          hours: number;
          reason: string;
        };
      };
    };
    responses: {
      /** @description The entry, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHours"] | components["schemas"]["Written"];
        };
      };
      /** @description The entry. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["WorkingHours"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One of: Working hours that were entered by hand, of people whose hours the caller sees or decides about
   * @description Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.
   *
   * Needs a token with the scope `CONFIDENTIAL_READ`, or a session.
   */
  working_hours_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,user,date`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHours"];
        };
      };
    };
  };
  /**
   * Delete working hours that were entered by hand
   * @description For those who decide about the person's working hours.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  working_hours_destroy: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description Deleted */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change working hours that were entered by hand
   * @description For those who decide about the person's working hours. Keys that are absent stay as they are.
   *
   * Needs a token with the scope `CONFIDENTIAL_WRITE`, or a session.
   */
  working_hours_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date
           * @description A day until today
           */
          date?: string;
          hours?: number;
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The entry. Reading it: Needs a token with the scope `CONFIDENTIAL_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkingHours"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * What changed since a cursor
   * @description Changes of the records that the caller may see, in the order in which they were saved. None is left out, however many are saved at the same time. Kept for 90 days; with an older cursor the answer is 410, with the cursor to go on with. Each kind needs the scope and the permission of its list: CONFIDENTIAL_READ for `participation`, `user`, `group` and `working_hours`, or ME_READ for your own; PUBLIC_READ for the others.
   *
   * Needs any token of a person, or a session.
   */
  changes_list: {
    parameters: {
      query?: {
        /** @description A cursor: `next` of the page before, or the `cursor` of a change. `start` begins with the oldest change that is kept. Without it, the answer has no results and `next` is the present end. */
        after?: string;
        /** @description The most results, 100 by default. */
        limit?: number;
        /** @description If there is nothing yet, wait for up to so many seconds for a change. */
        wait?: number;
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `next,has_more,results`. */
        fields?: string;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Changes"];
        };
      };
    };
  };
  /**
   * What changes, as Server-Sent Events
   * @description Changes of the records that the caller may see, in the order in which they were saved. None is left out, however many are saved at the same time. Kept for 90 days; with an older cursor the answer is 410, with the cursor to go on with. Each kind needs the scope and the permission of its list: CONFIDENTIAL_READ for `participation`, `user`, `group` and `working_hours`, or ME_READ for your own; PUBLIC_READ for the others.
   *
   * Each change is an event with the name `change`. The stream ends with the token or session.
   *
   * Needs any token of a person, or a session.
   */
  changes_stream: {
    parameters: {
      query?: {
        /** @description A cursor: `next` of the page before, or the `cursor` of a change. `start` begins with the oldest change that is kept. Without it, the answer has no results and `next` is the present end. */
        after?: string;
      };
      header?: {
        /** @description The id of the last event that was received; takes precedence over `after`. Browsers send it by themselves. */
        "Last-Event-ID"?: string;
      };
    };
    responses: {
      /** @description Events; the schema is that of their data */
      200: {
        content: {
          "text/event-stream": components["schemas"]["Change"];
        };
      };
    };
  };
  /**
   * Your webhooks
   * @description A webhook sends each change of the feed (`/api/changes/`) that its owner may see to an address, signed as Standard Webhooks describes, in order, until the receiver accepts it.
   *
   * Needs a token with the scope `ME_READ`, or a session.
   */
  webhooks_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,name,description`. */
        fields?: string;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookPage"];
        };
      };
    };
  };
  /**
   * Add a webhook
   * @description It starts with the next change. The token needs the scopes of the webhook, too. Applications that people authorised cannot add webhooks. Kinds of which the scopes never show a change are refused with `scope_missing`.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  webhooks_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name: string;
          /** @default */
          description?: string;
          /** @description Where changes are sent: https, unless the operator permits other addresses */
          url: string;
          /** @description Kinds of changes that are sent */
          kinds: ("event" | "shift" | "participation" | "user" | "event_type" | "qualification" | "group" | "resource" | "working_hours" | "waiting_list" | "exchanges" | "inquiries" | "forecast" | "attendance" | "own_waiting_list" | "own_exchanges" | "own_inquiries" | "own_attendance" | "availability" | "companions" | "access")[];
          /** @description What the webhook may see, as with a token of its owner with these scopes */
          scopes: ("PUBLIC_READ" | "ME_READ" | "CONFIDENTIAL_READ")[];
          /**
           * @description Each message contains the `record` as well, as the owner may read it with these scopes when the message is sent; null if it is gone
           * @default false
           */
          include_record?: boolean;
          /**
           * @description False: nothing is sent. When it is switched on again, it continues where it stopped
           * @default true
           */
          active?: boolean;
        };
      };
    };
    responses: {
      /** @description The webhook with its new secret, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["NewWebhook"] | components["schemas"]["Written"];
        };
      };
      /** @description The webhook with its new secret. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["NewWebhook"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * One of your webhooks
   * @description Needs a token with the scope `ME_READ`, or a session.
   */
  webhooks_retrieve: {
    parameters: {
      query?: {
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,name,description`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The record; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
    };
  };
  /**
   * Delete a webhook with its log
   * @description Needs a token with the scope `ME_WRITE`, or a session.
   */
  webhooks_delete: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description Deleted */
      204: {
        content: never;
      };
    };
  };
  /**
   * Change, pause or resume a webhook
   * @description Keys that are absent stay as they are. The token needs the scopes of the webhook, too.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  webhooks_update: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header: {
        "If-Match": components["parameters"]["if_match_required"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name?: string;
          description?: string;
          /** @description Where changes are sent: https, unless the operator permits other addresses */
          url?: string;
          /** @description Kinds of changes that are sent */
          kinds?: ("event" | "shift" | "participation" | "user" | "event_type" | "qualification" | "group" | "resource" | "working_hours" | "waiting_list" | "exchanges" | "inquiries" | "forecast" | "attendance" | "own_waiting_list" | "own_exchanges" | "own_inquiries" | "own_attendance" | "availability" | "companions" | "access")[];
          /** @description What the webhook may see, as with a token of its owner with these scopes */
          scopes?: ("PUBLIC_READ" | "ME_READ" | "CONFIDENTIAL_READ")[];
          /** @description Each message contains the `record` as well, as the owner may read it with these scopes when the message is sent; null if it is gone */
          include_record?: boolean;
          /** @description False: nothing is sent. When it is switched on again, it continues where it stopped */
          active?: boolean;
        };
      };
    };
    responses: {
      /** @description The webhook. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["Webhook"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * What a webhook sent in the last 30 days
   * @description The newest first. A delivery that failed is attempted again, for three days.
   *
   * Needs a token with the scope `ME_READ`, or a session.
   */
  webhooks_deliveries_list: {
    parameters: {
      query?: {
        limit?: components["parameters"]["limit"];
        offset?: components["parameters"]["offset"];
        cursor?: components["parameters"]["cursor"];
        /** @description Keys of the records, separated by commas; others are left out, also those that are required otherwise. For example `id,message_id,kind`. */
        fields?: string;
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description A page of results; with `fields` the keys that it names */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookDeliveryPage"];
        };
      };
    };
  };
  /**
   * Generate a new secret
   * @description For some time, requests carry signatures of both secrets. The token needs the scopes of the webhook, too.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  webhooks_rotate_secret: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: int64
           * @description For so long, requests are signed with both secrets. 0: the old secret ends at once
           * @default 24
           */
          overlap_hours?: number;
        };
      };
    };
    responses: {
      /** @description The webhook with its new secret. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["NewWebhook"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Send a test delivery
   * @description Sends a change of the kind `test`, also while the webhook is paused. The token needs the scopes of the webhook, too.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  webhooks_test: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
        "If-Match"?: components["parameters"]["if_match"];
      };
      path: {
        /** @description The id of the record */
        id: number;
      };
    };
    responses: {
      /** @description The delivery, which is sent within seconds, as a dry run would create it; there is no record of its id. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookDelivery"] | components["schemas"]["Written"];
        };
      };
      /** @description The delivery, which is sent within seconds. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      201: {
        content: {
          "application/json": components["schemas"]["WebhookDelivery"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Send a delivery again
   * @description With the same `webhook-id` and body. The token needs the scopes of the webhook, too.
   *
   * Needs a token with the scope `ME_WRITE`, or a session.
   */
  webhooks_deliveries_resend: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
      path: {
        /** @description The id of the record */
        id: number;
        /** @description The delivery */
        delivery: number;
      };
    };
    responses: {
      /** @description The delivery, which is sent within seconds. Reading it: Needs a token with the scope `ME_READ`, or a session. */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookDelivery"] | components["schemas"]["Written"];
        };
      };
    };
  };
  /**
   * Up to 100 writes in one transaction
   * @description Carries out all writes in their order, or none of them. Each needs the scope and the permission that it needs alone. A batch that takes longer than a minute is refused with 413. If one fails, the problem `batch_failed` lists the result of each in `results`. Later writes can refer to results of earlier ones: `{0/body/id}` in `path` and `if_match` is the id that the first one answered, `{"$result": "0/body/id"}` in a body the same as a value.
   *
   * Needs any token of a person, or a session.
   */
  batch_create: {
    parameters: {
      query?: {
        dry_run?: components["parameters"]["dry_run"];
      };
      header?: {
        "Idempotency-Key"?: components["parameters"]["idempotency_key"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          operations: ({
              /** @enum {string} */
              method: "POST" | "PATCH" | "PUT" | "DELETE";
              /** @description Address of the write, without host and query: `/api/shifts/7/signup/` */
              path: string;
              /** @description As without the batch; none is an empty object */
              body?: {
                [key: string]: unknown;
              };
              /** @description As the header If-Match */
              if_match?: string;
            })[];
        };
      };
    };
    responses: {
      /** @description All writes were carried out */
      200: {
        content: {
          "application/json": components["schemas"]["BatchResults"];
        };
      };
    };
  };
  /**
   * This description of the API, as OpenAPI 3.1
   * @description Needs no credentials.
   */
  schema_retrieve: {
    parameters: {
      query?: {
        /** @description Beside or instead of Accept. */
        format?: "yaml" | "json";
      };
    };
    responses: {
      /** @description The document */
      200: {
        content: {
          "application/vnd.oai.openapi": string;
          "application/yaml": string;
          "application/vnd.oai.openapi+json": Record<string, never>;
          "application/json": Record<string, never>;
        };
      };
    };
  };
  /**
   * A page to read this description and to try it out
   * @description Needs no credentials.
   */
  schema_swagger_ui_retrieve: {
    responses: {
      /** @description The page */
      200: {
        content: {
          "text/html": string;
        };
      };
    };
  };
  /**
   * A change, as the feed lists it
   * @description Sent to the `url` of each webhook whose `kinds` and `scopes` it fits, signed by Standard Webhooks. Answer with any 2xx within ten seconds.
   */
  webhook_change: {
    parameters: {
      header: {
        /** @description The cursor of the change; the same when it is sent again */
        "webhook-id": string;
        /** @description Seconds since 1970 */
        "webhook-timestamp": string;
        /** @description One signature `v1,…` for each valid secret, separated by blanks */
        "webhook-signature": string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Change"];
      };
    };
    responses: {
      /** @description Received */
      "2XX": {
        content: never;
      };
      /** @description Refused */
      "4XX": {
        content: never;
      };
    };
  };
  /**
   * A change with its record
   * @description Sent by webhooks with `include_record`. The record is read when the message is sent, so it can be newer than the change, and another one when the message is sent again. Sent to the `url` of each webhook whose `kinds` and `scopes` it fits, signed by Standard Webhooks. Answer with any 2xx within ten seconds.
   */
  webhook_changewithrecord: {
    parameters: {
      header: {
        /** @description The cursor of the change; the same when it is sent again */
        "webhook-id": string;
        /** @description Seconds since 1970 */
        "webhook-timestamp": string;
        /** @description One signature `v1,…` for each valid secret, separated by blanks */
        "webhook-signature": string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeWithRecord"];
      };
    };
    responses: {
      /** @description Received */
      "2XX": {
        content: never;
      };
      /** @description Refused */
      "4XX": {
        content: never;
      };
    };
  };
}
