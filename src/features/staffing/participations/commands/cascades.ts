import { sql } from 'kysely'
import { deleteAnswers, deleteSavedAnswers } from '#features/events/questionnaires/commands.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { deleteKeysAboutRecords } from '#platform/http/idempotency.ts'
import { eraseActors } from '#platform/journal/journal.ts'
import type { Span } from '#platform/time-span.ts'
import { numberedNames } from '../rules/placeholder-names.ts'
import { nameOfRecord } from '../rules/record-names.ts'

/**
 * Called before a shift moves to new times. A participant with only one individual time that lies outside of the new times keeps the
 * former other end as an individual time, so that the participation never ends before it starts.
 */
export async function fixIndividualTimes(tx: Tx, shiftId: number, { start, end }: Span): Promise<void> {
  await sql`update participation set individual_end_time = end_time
    where shift_id = ${shiftId} and individual_end_time is null and individual_start_time > ${end}`.execute(tx)
  await sql`update participation set individual_start_time = start_time
    where shift_id = ${shiftId} and individual_start_time is null and individual_end_time < ${start}`.execute(tx)
}

/** For the deletion of a person: participations stay for the statistics, their comments are deleted. */
export async function deleteCommentsOf(tx: Tx, userId: number): Promise<void> {
  await sql`
    delete from participation_comment c using participation p
    where p.id = c.participation_id and p.user_id = ${userId}`.execute(tx)
}

/** For the deletion of guests: what they wrote is deleted, comments of responsibles stay. */
export async function deleteCommentsOfGuests(tx: Tx, guestIds: readonly number[]): Promise<void> {
  await sql`
    delete from participation_comment c using participation p
    where p.id = c.participation_id and p.guest_id = any (${guestIds}::bigint[]) and c.author_kind = 'participant'`.execute(tx)
}

const PERSON_COLUMNS = { visitor: sql.ref('visitor_id'), guest: sql.ref('guest_id') }

type Replaced = { kind: 'visitor' | 'guest'; ids: readonly number[]; name: string }

/**
 * Before visitors or guests are deleted: their participations become placeholders `name (n)`, with the same number on all shifts of a
 * person and a number that is free in all of these events. Their answers are deleted, also in the journal, and stored answers of the API
 * about them. The caller holds the locks of the people, so that they cannot sign up meanwhile.
 */
export async function replaceByPlaceholders(tx: Tx, { kind, ids, name }: Replaced): Promise<{ participations: number }> {
  const column = PERSON_COLUMNS[kind]
  await eraseActors(tx, kind, ids)
  // never null: person_id (the condition compares it)
  const { rows: places } = await sql<{ person_id: number; event_id: number }>`
    select distinct ${column} as person_id, event_id from participation where ${column} = any (${ids}::bigint[]) order by 1`.execute(
    tx,
  )
  if (!places.length) return { participations: 0 }
  const eventIds = places.map(({ event_id }) => event_id)
  await sql`select from event where id = any (${eventIds}::bigint[]) order by id for update`.execute(tx)
  // never null: placeholder_name (placeholders have a name)
  const { rows: others } = await sql<{ placeholder_name: string }>`
    select distinct placeholder_name from participation
    where event_id = any (${eventIds}::bigint[]) and kind = 'placeholder'`.execute(tx)
  const people = [...new Set(places.map(({ person_id }) => person_id))]
  const names = numberedNames(name, people.length, new Set(others.map(({ placeholder_name }) => placeholder_name)))
  const { rows: replaced } = await sql<{ id: number }>`
    update participation set kind = 'placeholder', ${column} = null, placeholder_name = person.name
    from unnest(${people}::bigint[], ${names}::text[]) as person (id, name)
    where participation.${column} = person.id returning participation.id`.execute(tx)
  const participationIds = replaced.map(({ id }) => id)
  await deleteAnswers(tx, participationIds)
  await deleteKeysAboutRecords(tx, participationIds.map(nameOfRecord))
  return { participations: replaced.length }
}

/** Called when a person is erased. Answers can be about health or religion, so those of past shifts are deleted, too. */
export async function deleteAnswersOf(tx: Tx, userId: number): Promise<void> {
  const own = await tx.selectFrom('participation').select('id').where('user_id', '=', userId).execute()
  await deleteSavedAnswers(tx, userId)
  await deleteAnswers(
    tx,
    own.map(({ id }) => id),
  )
}

/** For the erasure of a person: comments that they wrote about others stay without what identifies the author. */
export async function redactCommentsBy(tx: Tx, userId: number, pattern: string, replacement: string): Promise<void> {
  await sql`update participation_comment set text = regexp_replace(text, ${pattern}, ${replacement}, 'g')
    where author_id = ${userId} and text ~ ${pattern}`.execute(tx)
}
