import { FEATURES, featureOf } from './imports.ts'
import { isTest, lineOf, type Source, withoutComments } from './source.ts'
import { OWNERS } from './tables.ts'

/** Tables of features below that the SQL of a feature reads. */
export const READS: Record<string, readonly string[]> = {
  qualifications: ['catalogue_version', 'qualification_closure'],
  users: ['qualification', 'qualification_category', 'qualification_closure'],
  people: ['qualification', 'user_profile'],
  tokens: ['user_group', 'user_profile'],
  'second-factor': ['user_group', 'user_group_member', 'user_profile'],
  'sign-in': ['guardianship', 'user_profile'],
  'identity-providers': ['qualification', 'user_group', 'user_profile'],
  oauth: ['access_token', 'session', 'user_profile'],
  'service-accounts': ['access_token', 'user_group', 'user_group_member', 'user_profile'],
  'building-blocks': ['qualification', 'qualification_category'],
  staffing: [
    'group_permission',
    'qualification',
    'qualification_closure',
    'qualification_grant',
    'user_group_member',
    'user_permission',
    'user_profile',
  ],
  events: ['audience', 'group_grant', 'qualification', 'qualification_category', 'user_group', 'user_profile'],
  questionnaires: ['user_profile'],
  availability: ['user_profile'],
  eligibility: [
    'event',
    'event_group_grant',
    'event_type_required_qualification',
    'event_user_grant',
    'group_permission',
    'place_basis',
    'qualification_closure',
    'qualification_grant',
    'setting',
    'shift',
    'user_group_member',
    'user_permission',
    'user_profile',
  ],
  participations: [
    'audience',
    'event',
    'event_participation_count',
    'event_type',
    'event_user_grant',
    'journal',
    'participation_count',
    'participation_count_pending',
    'profile_group_grant',
    'profile_user_grant',
    'qualification',
    'shift',
    'user_profile',
  ],
  planning: [
    'shift_question',
    'event_type',
    'event_type_default_group',
    'event_type_default_user',
    'journal',
    'participation',
    'user_group',
    'user_group_member',
    'user_profile',
  ],
  series: ['event', 'journal', 'participation'],
  templates: ['event_type', 'question', 'user_group', 'user_profile'],
  programmes: ['event', 'journal', 'shift', 'user_profile'],
  disposition: [
    'answer',
    'event',
    'journal',
    'participation',
    'participation_comment',
    'place_basis',
    'qualification_closure',
    'qualification_grant',
    'shift',
    'user_group_member',
    'user_profile',
    'visitor',
    'visitor_qualification',
  ],
  federation: ['access_token', 'event', 'event_type', 'oauth_consent', 'participation', 'shift', 'user_profile', 'visitor'],
  guests: ['event', 'event_type', 'participation', 'qualification', 'qualification_category', 'shift'],
  rosters: [
    'answer',
    'event',
    'event_type',
    'guest',
    'guest_qualification',
    'participation',
    'participation_comment',
    'qualification_grant',
    'question',
    'shift',
    'shift_question',
    'user_profile',
    'visitor',
    'visitor_qualification',
  ],
  resources: ['event', 'shift'],
  'check-in': ['event', 'participation', 'shift', 'user_profile', 'visitor'],
  offers: ['event', 'event_type', 'participation', 'shift', 'user_profile'],
  grid: ['event', 'participation', 'shift', 'user_profile'],
  inquiries: ['event', 'participation', 'shift', 'user_profile'],
  reports: ['audience', 'event', 'event_type', 'journal', 'participation', 'shift', 'user_group', 'user_profile'],
  shortages: ['audience', 'event', 'event_type', 'journal', 'participation', 'shift', 'user_group'],
  files: ['event', 'user_profile'],
  requests: ['user_profile'],
  changes: [
    'audience',
    'event',
    'event_group_grant',
    'event_type',
    'event_user_grant',
    'group_grant',
    'journal',
    'participation',
    'profile_group_grant',
    'profile_user_grant',
    'shift',
    'user_group_member',
    'user_profile',
  ],
  hours: [
    'decision_request',
    'event',
    'event_type',
    'group_grant',
    'participation',
    'shift',
    'user_group_member',
    'user_profile',
  ],
  limits: ['user_group'],
  'auto-fill': ['event', 'event_group_grant', 'event_user_grant', 'participation', 'shift', 'user_group_member', 'user_profile'],
  // Besides these, every table that src/personal-data.ts lists.
  privacy: [
    'guardianship',
    'access_token',
    'answer',
    'attachment',
    'attendance',
    'attendance_result',
    'audience',
    'content_page',
    'decision_request',
    'event',
    'event_group_grant',
    'event_share',
    'event_type',
    'event_user_grant',
    'federated_guest',
    'federated_host',
    'group_permission',
    'guest_share',
    'journal',
    'oauth_application',
    'oauth_consent',
    'participation',
    'participation_abroad',
    'partner_event',
    'place_basis',
    'email_change',
    'profile_group_grant',
    'profile_picture',
    'profile_user_grant',
    'qualification_grant',
    'qualification_proof',
    'session',
    'setting',
    'shift',
    'stored_file',
    'user_group',
    'user_group_member',
    'user_permission',
    'user_profile',
  ],
  webhooks: ['service_account', 'user_profile'],
  mails: ['user_profile', 'email_failure', 'guest', 'notification'],
  profiles: [
    'decision_request',
    'event',
    'participation',
    'profile_group_grant',
    'profile_user_grant',
    'stored_file',
    'user_profile',
  ],
  joining: ['decision_request', 'one_time_link', 'user_group', 'user_group_member', 'user_profile'],
  'qualification-requests': [
    'decision_request',
    'event',
    'participation',
    'qualification',
    'qualification_grant',
    'shift',
    'stored_file',
    'user_group_member',
    'user_profile',
  ],
  finding: [
    'waiting_entry',
    'event',
    'event_group_grant',
    'event_type',
    'event_type_required_qualification',
    'event_user_grant',
    'federated_host',
    'participation',
    'participation_abroad',
    'partner_event',
    'partner_event_opening',
    'qualification_closure',
    'qualification_grant',
    'shift',
    'stand_in',
    'stand_in_person',
    'swap',
    'user_group_member',
    'user_profile',
  ],
  'first-steps': ['event', 'qualification', 'setting', 'user_group', 'user_profile'],
  'people-import': [
    'event_user_grant',
    'external_identity',
    'group_permission',
    'guardianship',
    'participation',
    'qualification',
    'qualification_grant',
    'session',
    'user_group',
    'user_group_member',
    'user_permission',
    'user_profile',
    'working_hours',
  ],
  'audit-log': [
    'event_template',
    'access_token',
    'attachment',
    'building_block',
    'content_page',
    'event',
    'event_type',
    'federated_guest',
    'federated_host',
    'guest',
    'identity_provider',
    'journal',
    'oauth_application',
    'participation',
    'qualification',
    'qualification_category',
    'question',
    'resource',
    'resource_category',
    'service_account',
    'shift',
    'user_group',
    'user_profile',
    'visitor',
  ],
  notifications: [
    'guardianship',
    'decision_request',
    'event',
    'event_group_grant',
    'event_user_grant',
    'group_grant',
    'group_permission',
    'guest',
    'inquiry',
    'inquiry_person',
    'stand_in',
    'stand_in_person',
    'swap',
    'waiting_entry',
    'journal',
    'participation',
    'participation_comment',
    'place_basis',
    'qualification',
    'qualification_grant',
    'setting',
    'shift',
    'user_group_member',
    'user_permission',
    'user_profile',
    'visitor',
  ],
}

const USAGE = 'the page to delete a record says where it is used'

/**
 * Tables of features above that the SQL of a feature reads, each with the reason. A new row needs a better one than convenience: the
 * owning feature can export a condition or a projection, or `feature-hooks.ts` can have a hook.
 */
export const READS_ABOVE: Record<string, Record<string, string>> = {
  qualifications: {
    qualification_grant: USAGE,
    shift: USAGE,
    event: USAGE,
    event_type_required_qualification: USAGE,
    event_type: USAGE,
    building_block: USAGE,
    block_position: USAGE,
    block_position_qualification: USAGE,
    block_requirement: USAGE,
    block_requirement_qualification: USAGE,
  },
  people: { event_group_grant: USAGE, event: USAGE, event_type_default_group: USAGE },
  users: {
    event: USAGE,
    event_user_grant: USAGE,
    participation: USAGE,
    session: 'the list of people shows when somebody was last seen',
  },
  tokens: {
    oauth_grant: 'one query authenticates a bearer token; a revoked grant ends its tokens at once',
    oauth_application: 'one query authenticates a bearer token; a disabled application ends its tokens at once',
    service_account: 'one query authenticates a bearer token, with the limits of its service account',
  },
  'audit-log': { webhook: 'the log names everything that entries are about' },
  'building-blocks': { shift: USAGE },
  staffing: {
    visitor_qualification: 'statistics count who is confirmed and what they can do',
    guest_qualification: 'statistics count who is confirmed and what they can do',
    participation: 'statistics count who is confirmed and what they can do',
    waiting_entry: 'a place that is offered to the waiting list is not free',
    event: 'the event row is the lock of its shifts',
    event_type_required_qualification: 'a place counts while its person holds what the event type requires',
    event_group_grant: 'a place counts while its person is in the audience of the event',
    event_user_grant: 'a place counts while its person is in the audience of the event',
  },
  'check-in': { guest: 'guests are checked in like users' },
  inquiries: { push_device: 'people who get neither mails nor push messages of this kind are not asked' },
  disposition: {
    guest: 'boards show guests like users',
    guest_qualification: 'boards show guests like users',
  },
  events: { participation: 'people see the events in which they take part' },
  notifications: { webhook: 'the owner of a webhook is notified' },
  eligibility: {
    event_share: 'visitors of a partner instance reach the events that are shared with it',
    federated_host: 'a confirmed shift at a partner instance is a conflict',
    guest: 'guests take part like users: their record is judged and named',
    guest_qualification: 'confirmed qualifications of guests count for their place',
    guest_share: 'guests reach their event while its link is active',
    participation: 'taken places, conflicts and the state of the own sign-up are participations',
    participation_abroad: 'a confirmed shift at a partner instance is a conflict',
    partner_event: 'a confirmed shift at a partner instance is a conflict',
    visitor: 'visitors take part like users: their record is judged and named',
    visitor_qualification: 'qualifications of visitors count for their place',
    waiting_entry: 'a place that is offered to the waiting list is free for one person only',
    waiting_line: 'nobody takes a place before the waiting list',
  },
  participations: {
    event_series_member: 'the event page names the place of the event in its series without another query',
    waiting_entry: 'a place that is offered to the waiting list is free for one person only',
    guest: 'guests take part like users: their record is locked, judged and named',
    guest_share: 'guests reach their event while its link is active',
    guest_qualification: 'confirmed qualifications of guests count for their place',
    event_share: 'visitors of a partner instance reach the events that are shared with it',
    federated_guest: 'the row of the partner instance is the lock of its visitors',
  },
}

const READ =
  /\b(?:from|join|using)\s+(?:only\s+)?"?(\w+)|\b(?:selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin)\(\s*['"`](\w+)/gi
/** Imports and restores copy whole tables. */
const READS_ALL = new Set(['moving', 'backup'])

/** Where each feature reads tables of others. */
export function foreignReads(sources: Source[]): { path: string; line: number; feature: string; table: string }[] {
  return sources
    .filter((source) => !isTest(source) && !/\/words\.\w+\.ts$/.test(source.path))
    .flatMap(({ path, text }) => {
      const feature = featureOf(path)
      if (feature === undefined || READS_ALL.has(feature)) return []
      const code = withoutComments(text)
      return [...code.matchAll(READ)].flatMap((found) => {
        const table = (found[1] ?? found[2])!
        if (!Object.hasOwn(OWNERS, table) || ownersOf(table).includes(feature)) return []
        return [{ path, line: lineOf(code, found.index), feature, table }]
      })
    })
}

/** Every read of a foreign table is declared, and every declared one exists. */
export function readViolations(sources: Source[], declared = { below: READS, above: READS_ABOVE }): string[] {
  const reads = foreignReads(sources)
  const undeclared = reads.flatMap(({ path, line, feature, table }) => {
    const list = isAbove(feature, table) ? Object.keys(declared.above[feature] ?? {}) : (declared.below[feature] ?? [])
    const name = isAbove(feature, table) ? 'READS_ABOVE' : 'READS'
    return list.includes(table) ? [] : [`${path}:${line} reads ${table} of ${ownersOf(table)[0]}, which ${name} does not declare`]
  })
  const isRead = (feature: string, table: string) => reads.some((read) => read.feature === feature && read.table === table)
  const unread = [
    ...Object.entries(declared.below),
    ...Object.entries(declared.above).map(([feature, tables]) => [feature, Object.keys(tables)] as const),
  ].flatMap(([feature, tables]) =>
    tables.filter((table) => !isRead(feature, table)).map((table) => `${feature} declares ${table} and does not read it`),
  )
  return [...undeclared, ...unread]
}

const ownersOf = (table: string): string[] => [OWNERS[table]!].flat().map((owner) => owner.replace(/^(features|platform)\//, ''))

/** Tables that triggers maintain, and those of the platform, are below every feature. */
function isAbove(feature: string, table: string): boolean {
  const order = Object.keys(FEATURES)
  const owners = ownersOf(table).filter((owner) => order.includes(owner))
  return owners.length > 0 && owners.every((owner) => order.indexOf(owner) > order.indexOf(feature))
}
