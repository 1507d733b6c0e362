import { isTest, type Source, withoutComments } from './source.ts'
import { writesIn } from './tables.ts'

/** Tables whose changes are not recorded in the journal, each with the reason. */
export const NOT_JOURNALED: Record<string, string> = {
  journal: 'the log itself',
  extension: 'what was found at the start of a server; switching one off is recorded',
  extension_migration: 'the history of schemas of extensions',
  permission: 'names of permissions, written by migrations only',
  qualification_closure: 'derived from inclusions by triggers',
  audience: 'derived from the groups of events by triggers',
  catalogue_version: 'a counter kept by triggers',
  cache_mark: 'tells which caches are out of date',
  shift_pickup: 'derived from participations of past shifts',
  forecast_quality: 'derived from past shifts',
  shift_forecast: 'derived from past shifts and participations',
  participation_count: 'derived from participations by triggers',
  participation_count_pending: 'derived from participations by triggers',
  event_participation_count: 'derived from participations by triggers',
  rate_count: 'short-lived; counts requests and belongs to no action',
  idempotency_key: 'short-lived; belongs to the request whose command is recorded',
  session: 'short-lived; ending the sessions of a user is recorded',
  known_device: 'short-lived',
  pending_sign_in: 'short-lived',
  trusted_device: 'short-lived',
  viewing: 'short-lived; its beginning is recorded',
  used_passkey_challenge: 'short-lived',
  second_factor_duty: 'follows from memberships and the policy',
  visitor_session: 'short-lived',
  sign_in_attempt: 'a short-lived counter of wrong passwords',
  one_time_link: 'the action behind the link is recorded',
  registration: 'short-lived; the account that follows from it is recorded',
  external_session: 'short-lived',
  used_sign_in_state: 'short-lived',
  oauth_object: 'short-lived state of the protocol',
  oauth_grant: 'follows from consents, which are recorded',
  oauth_signing_key: 'rotated by a job',
  notification: 'created from the journal',
  mail_state: 'whether the mail server took the last mail',
  retention_run: 'is itself a log',
  change_feed: 'follows from changes of records',
  change: 'follows from changes of records',
  change_pending: 'follows from changes of records',
  webhook_queue: 'follows from changes of records',
  webhook_delivery: 'follows from changes of records',
  push_key: 'created once by the first use',
  partner_event: 'a copy of events of partners',
  participation_abroad: 'a copy of states at partners',
  partner_hours: 'a copy of confirmed shifts at partners',
  guest_copy: 'follows from changes of records',
  guest_updates: 'agreed between two instances; the link is recorded',
  host_updates: 'agreed between two instances; the link is recorded',
  visitor_objection: 'recorded where the person objects',
  partner_event_opening: 'the last visit, like the last use of a consent',
  stored_file: 'the record that refers to the file is recorded',
  people_action: 'who was chosen; performing and undoing it is recorded',
  people_action_person: 'who was chosen; performing and undoing it is recorded',
  people_import: 'a list that was uploaded; applying and undoing it is recorded',
  people_import_row: 'a list that was uploaded; applying and undoing it is recorded',
  fill_run: 'the participations that it changes are recorded',
  fill_place: 'the participations that it changes are recorded',
  removed_shift: 'the removal of the shift is recorded',
  removed_participation: 'the removal of the shift is recorded',
  removed_row: 'the removal of the shift is recorded',
  moved_in_row: 'an import keeps its own account',
}

/** Parts of commands whose callers record the entry; the value names the caller. */
export const RECORDED_BY_CALLERS: Record<string, string> = {
  'features/operations/privacy/commands/merge-steps.ts': 'the merge of two accounts',
  'features/operations/backup/commands/denormalised.ts': 'nobody: it repeats what other tables say',
  'features/sharing/federation/commands/delete-external-participations.ts': 'the deletion of a person',
  'features/messaging/notifications/commands/notifications.ts': 'the deletion of a person',
  'features/on-the-day/check-in/commands/retention.ts': 'the list of runs of the retention rules',
  'features/messaging/notifications/commands/delivery.ts': 'the list of runs of the retention rules',
  'features/accounts/users/commands/qualification-grants.ts': 'the deletion of a qualification',
  'features/messaging/push/commands/sending.ts': 'nobody: the push service no longer knows the device',
  'features/access/tokens/commands/federation.ts': 'an instance that joins',
  'features/access/tokens/commands/oauth.ts': 'consent of a person',
  'features/access/tokens/commands/keys.ts': 'the change of a service account',
  'features/accounts/users/commands/service-account-profiles.ts': 'the change of a service account',
  'features/staffing/participations/commands/coupling.ts': 'the change of the participation in the leading shift',
  'features/staffing/participations/commands/cascades.ts': 'the change of a shift, the deletion of a person, the end of a link',
  'features/access/oauth/commands/partner-applications.ts': 'joining and leaving a partner',
  'features/access/oauth/commands/storage.ts': 'consent of a person',
  'features/sharing/federation/commands/copy-shares.ts': 'the duplicate of an event',
  'features/sharing/federation/commands/host-updates.ts':
    'the change at the host; here only the time of the next request changes',
  'features/staffing/participations/commands/visitors.ts': 'the visit',
  'features/events/events/commands/event-type-people.ts': 'the deletion of a person',
  'features/planning/planning/commands/store-shifts.ts': 'the plan of an event',
  'features/access/second-factor/commands/factors.ts': 'the change of a factor, the reset, the deletion of a person',
  'features/staffing/staffing/commands/statistics.ts': 'the change that the statistics follow from',
  'features/staffing/staffing/commands/place-basis.ts': 'the decision about a participation, the change of memberships',
  'features/events/building-blocks/commands/parts.ts': 'the edit of a block',
}

/** Commands that write journaled tables without recording an entry. */
export function unjournaledCommands(sources: Source[]): string[] {
  return sources
    .filter(
      (source) => !isTest(source) && /^features\/[^/]+\/(?!(?:import-ephios|backup)\/)[^/]+\/commands[./]/.test(source.path),
    )
    .filter(({ path, text }) => !(path in RECORDED_BY_CALLERS) && !/\brecord(All)?\(/.test(withoutComments(text)))
    .flatMap(({ path, text }) =>
      [...new Set(writesIn(text).filter((table) => !(table in NOT_JOURNALED)))].map(
        (table) => `${path} writes ${table} without an entry in the journal`,
      ),
    )
}
