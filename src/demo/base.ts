import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { OperatorError } from '#platform/operator-error.ts'
import type { Calendar } from '#platform/sample-data/calendar.ts'
import type { Random } from '#platform/sample-data/random.ts'
import { type Blocks, loadBlocks } from './blocks.ts'
import { type EventTypes, loadEventTypes } from './event-types.ts'
import { type Groups, loadGroups } from './groups.ts'
import { loadPeople, type Passwords, type Person } from './people.ts'
import { loadQualifications, type Qualifications } from './qualifications.ts'

/** Data that events refer to. */
export type Base = { qualifications: Qualifications; groups: Groups; people: Person[]; eventTypes: EventTypes; blocks: Blocks }

export class NotEmpty extends OperatorError {}

/** Demo data needs an empty database. Concurrent loads wait for the lock, and the second one is refused. */
export async function requireEmpty(tx: Tx): Promise<void> {
  await sql`lock table user_profile in exclusive mode`.execute(tx)
  const someone = await tx.selectFrom('user_profile').select('id').limit(1).executeTakeFirst()
  const something = await tx.selectFrom('event_type').select('id').limit(1).executeTakeFirst()
  if (someone || something) throw new NotEmpty('Demo data can be loaded into an empty database only, and this one is in use.')
}

type BaseOptions = { language: SourceLanguage; now: Date; random: Random; calendar: Calendar; passwords: Passwords }

export async function loadBase(tx: Tx, { language, now, random, calendar, passwords }: BaseOptions): Promise<Base> {
  const qualifications = await loadQualifications(tx, random.fork('qualifications'), language)
  const groups = await loadGroups(tx, language)
  const people = await loadPeople(tx, {
    language,
    now,
    random: random.fork('people'),
    calendar,
    passwords,
    groups,
    qualifications,
  })
  const eventTypes = await loadEventTypes(tx, { language, people, groups, qualifications })
  const blocks = await loadBlocks(tx, { random: random.fork('blocks'), qualifications, language })
  return { qualifications, groups, people, eventTypes, blocks }
}
