import { folderOf, isTest, lineOf, type Source, withoutComments } from './source.ts'

const TRIGGERS_ONLY = 'triggers and migrations'

/** The folders that may write a table; the first one owns it. A new table needs a row here. */
export const OWNERS: Record<string, string | readonly string[]> = {
  qualification_category: 'features/qualifications',
  qualification: 'features/qualifications',
  qualification_inclusion: 'features/qualifications',
  qualification_closure: TRIGGERS_ONLY,
  user_profile: 'features/users',
  qualification_grant: ['features/users', 'features/people'],
  guardianship: 'features/users',
  user_group: ['features/users', 'features/people'],
  user_group_member: ['features/users', 'features/people'],
  permission: TRIGGERS_ONLY,
  group_permission: ['features/users', 'features/people'],
  user_permission: 'features/users',
  group_grant: ['features/users', 'features/people'],
  profile_group_grant: 'features/users',
  profile_user_grant: 'features/users',
  content_page: 'features/pages',
  resource_category: 'features/resources',
  resource: 'features/resources',
  shift_resource: 'features/resources',
  work_limit: 'features/limits',
  weekly_time: 'features/availability',
  day_period: 'features/availability',
  private_calendar: 'features/availability',
  busy_time: 'features/availability',
  fill_weight: 'features/auto-fill',
  fill_run: 'features/auto-fill',
  fill_place: 'features/auto-fill',
  question: 'features/questionnaires',
  shift_question: 'features/questionnaires',
  answer: 'features/questionnaires',
  saved_answer: 'features/questionnaires',
  attachment: 'features/files',
  event_attachment: 'features/files',
  decision_request: 'features/requests',
  working_hours: 'features/hours',
  qualification_proof: 'features/qualification-requests',
  event_qualification: 'features/qualification-requests',
  totp_factor: 'features/second-factor',
  recovery_code: 'features/second-factor',
  passkey: 'features/second-factor',
  used_passkey_challenge: 'features/second-factor',
  trusted_device: 'features/second-factor',
  second_factor_policy: 'features/second-factor',
  second_factor_group: 'features/second-factor',
  second_factor_duty: 'features/second-factor',
  session: 'features/sign-in',
  pending_sign_in: 'features/sign-in',
  known_device: 'features/sign-in',
  sign_in_attempt: 'features/sign-in',
  one_time_link: 'features/sign-in',
  building_block: 'features/building-blocks',
  block_position: 'features/building-blocks',
  block_position_qualification: 'features/building-blocks',
  block_composition: 'features/building-blocks',
  block_requirement: 'features/building-blocks',
  block_requirement_qualification: 'features/building-blocks',
  event_type: 'features/events',
  event_type_default_group: 'features/events',
  event_type_default_user: 'features/events',
  event_type_required_qualification: 'features/events',
  audience: TRIGGERS_ONLY,
  // Events and shifts belong to `events`; `planning` writes what was planned, `staffing` the statistics of shifts.
  event: ['features/events', 'features/planning'],
  event_group_grant: ['features/events', 'features/planning'],
  event_user_grant: ['features/events', 'features/planning'],
  event_series: 'features/series',
  event_template: 'features/templates',
  event_template_user: 'features/templates',
  event_series_member: 'features/series',
  programme: 'features/programmes',
  programme_shift: 'features/programmes',
  place_basis: 'features/staffing',
  shift: ['features/events', 'features/planning', 'features/staffing'],
  attendance: 'features/check-in',
  attendance_mark: 'features/check-in',
  attendance_run: 'features/check-in',
  attendance_result: 'features/check-in',
  event_check_in: 'features/check-in',
  stand_in: 'features/offers',
  stand_in_person: 'features/offers',
  swap: 'features/offers',
  waiting_line: 'features/offers',
  waiting_entry: 'features/offers',
  inquiry: 'features/inquiries',
  inquiry_person: 'features/inquiries',
  guest_share: 'features/guests',
  join_link: 'features/joining',
  profile_picture: 'features/profiles',
  email_change: 'features/profiles',
  email_failure: 'features/users',
  mail_state: 'features/mails',
  registration: 'features/joining',
  guest: 'features/guests',
  guest_qualification: 'features/guests',
  participation: 'features/participations',
  participation_comment: 'features/participations',
  participation_count: TRIGGERS_ONLY,
  participation_count_pending: TRIGGERS_ONLY,
  event_participation_count: TRIGGERS_ONLY,
  identity_provider: 'features/identity-providers',
  identity_provider_group: 'features/identity-providers',
  external_identity: 'features/identity-providers',
  external_session: 'features/identity-providers',
  used_sign_in_state: 'features/identity-providers',
  oauth_application: 'features/oauth',
  oauth_grant: 'features/oauth',
  oauth_object: 'features/oauth',
  oauth_consent: 'features/oauth',
  oauth_signing_key: 'features/oauth',
  access_token: 'features/tokens',
  service_account: 'features/service-accounts',
  federated_guest: 'features/federation',
  visitor: 'features/participations',
  visitor_qualification: 'features/participations',
  visitor_session: 'features/federation',
  invite_code: 'features/federation',
  event_share: 'features/federation',
  federated_host: 'features/federation',
  partner_event: 'features/federation',
  participation_abroad: 'features/federation',
  denied_statement: 'features/federation',
  partner_event_opening: 'features/federation',
  change_feed: 'features/changes',
  change: 'features/changes',
  change_pending: 'features/changes',
  people_import: 'features/people-import',
  people_import_row: 'features/people-import',
  webhook: 'features/webhooks',
  webhook_queue: 'features/webhooks',
  webhook_delivery: 'features/webhooks',
  event_message: 'features/messages',
  erasure_request: 'features/privacy',
  retention_run: 'features/privacy',
  notification: 'features/notifications',
  push_device: 'features/push',
  push_key: 'features/push',
  setting: 'features/instance',
  catalogue_version: TRIGGERS_ONLY,
  cache_mark: 'platform/db',
  moved_in_row: 'features/moving',
  stored_file: 'platform/files',
  idempotency_key: 'platform/http',
  rate_count: 'platform/http',
  journal: 'platform/journal',
}

const WRITES =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`](\w+)|\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?"?(\w+)/gi
/** Merging accounts changes every table that refers to people, in one transaction. */
const MAY_WRITE_ALL =
  /^(demo\/|features\/(?:moving|backup)\/|features\/privacy\/commands\/merge-steps\.ts|platform\/db\/denormalised\.ts)/
const IS_PROSE = /(^|\/)words\.\w+\.ts$/

/** Writes to tables by other folders than the declared ones. */
export function writeViolations(sources: Source[], owners: Record<string, string | readonly string[]>): string[] {
  return sources
    .filter((source) => !isTest(source) && !MAY_WRITE_ALL.test(source.path) && !IS_PROSE.test(source.path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return [...code.matchAll(WRITES)].flatMap((found) => {
        const table = (found[1] ?? found[2])!
        const owner = owners[table]
        if (owner === undefined || [owner].flat().includes(folderOf(path))) return []
        return [`${path}:${lineOf(code, found.index)} writes ${table}, which belongs to ${[owner].flat().join(' and ')}`]
      })
    })
}

/** Tables that a source writes. */
export const writesIn = (text: string): string[] =>
  [...withoutComments(text).matchAll(WRITES)]
    .map((found) => (found[1] ?? found[2])!)
    .filter((table) => Object.hasOwn(OWNERS, table))

/** Tables that the migrations create, without those that they drop again. */
export function tablesIn(migrations: string[]): string[] {
  const tables = new Set<string>()
  for (const sql of migrations)
    for (const [, made, gone] of sql.matchAll(
      /^\s*create (?:unlogged )?table (?:if not exists )?(\w+)|^\s*drop table (?:if exists )?(\w+)/gim,
    )) {
      if (made) tables.add(made)
      else tables.delete(gone!)
    }
  return [...tables]
}
