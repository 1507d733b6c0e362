import { isTest, type Source, withoutComments } from './source.ts'
import { writesIn } from './tables.ts'

/** What is in no log, and why. Every other table is: whoever writes it writes an entry in the same command. */
export const NOT_JOURNALED: Record<string, string> = {
  journal: 'the log itself',
  permission: 'names of permissions, by migrations alone',
  qualification_closure: 'follows from inclusions, by triggers alone',
  audience: 'follows from the groups of events, by triggers alone',
  catalogue_version: 'a counter, by triggers alone',
  session: 'coming and going; that somebody ended sessions is in the log',
  known_device: 'coming and going',
  visitor_session: 'coming and going',
  sign_in_attempt: 'a counter of wrong passwords, for minutes',
  one_time_link: 'what is done by a link is in the log',
  oauth_object: 'what a protocol remembers, for minutes',
  oauth_grant: 'follows from consents, which are in the log',
  oauth_signing_key: 'made by itself',
  notification: 'made from the log',
  partner_event: 'a copy of what partners share',
  participation_abroad: 'a copy of what partners say',
  moved_in_row: 'an import keeps its own account',
}

/** Parts of commands: whoever calls them writes the entry. */
export const RECORDED_BY_CALLERS: Record<string, string> = {
  'features/users/commands/qualification-grants.ts': 'the deletion of a qualification',
  'features/tokens/commands/federation.ts': 'an instance that joins',
  'features/tokens/commands/oauth.ts': 'consent of a person',
  'features/participations/commands/coupling.ts': 'whatever moved the leader',
  'features/participations/commands/guest-shares.ts': 'the duplicate of an event',
  'features/participations/commands/individual-times.ts': 'the change of a shift',
  'features/participations/commands/delete-comments.ts': 'the deletion of a person',
  'features/participations/commands/placeholders.ts': 'the end of a link',
  'features/oauth/commands/partner-applications.ts': 'joining and leaving a partner',
  'features/oauth/commands/storage.ts': 'consent of a person',
  'features/federation/commands/copy-shares.ts': 'the duplicate of an event',
  'features/participations/commands/visitors.ts': 'the visit',
  'features/planning/commands/responsible.ts': 'the deletion of a person',
  'features/events/commands/event-type-people.ts': 'the deletion of a person',
  'features/planning/commands/store-shifts.ts': 'the plan of an event',
  'features/staffing/commands/statistics.ts': 'the change that the statistics follow from',
  'features/building-blocks/commands/parts.ts': 'the edit of a block',
}

/** Commands that write what belongs into the log, and no entry. */
export function silentCommands(sources: Source[]): string[] {
  return sources
    .filter((source) => !isTest(source) && /^features\/(?!moving\/)[^/]+\/commands[./]/.test(source.path))
    .filter(({ path, text }) => !(path in RECORDED_BY_CALLERS) && !/\brecord\(/.test(withoutComments(text)))
    .flatMap(({ path, text }) =>
      [...new Set(writesIn(text).filter((table) => !(table in NOT_JOURNALED)))].map(
        (table) => `${path} writes ${table} without an entry in the journal`,
      ),
    )
}
