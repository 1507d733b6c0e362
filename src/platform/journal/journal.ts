import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { JournalKind, JournalKinds } from './kinds.ts'

type Subject<Kind extends JournalKind> = { kind: JournalKinds[Kind]['subject']; id: number | null }
/** Changed fields without personal data. */
type ChangesPart<Declared> = 'changes' extends keyof Declared ? Pick<Declared, 'changes'> : { changes?: never }
/**
 * Values about a person; cleared when that person is erased. `personId` null: the person is the actor, a visitor or guest without an
 * account here.
 */
type PersonalPart<Declared> = 'personal' extends keyof Declared
  ? { [Name in keyof Pick<Declared, 'personal'>]: { personId: number | null; values: Exclude<Declared[Name], undefined> } }
  : { personal?: never }

/** `kind`: what happened, for example `participation.moved`. `eventId`: the event whose log shows the entry. */
export type Entry<Kind extends JournalKind = JournalKind> = {
  [Each in Kind]: { kind: Each; subject: Subject<Each>; eventId?: number } & ChangesPart<JournalKinds[Each]> &
    PersonalPart<JournalKinds[Each]>
}[Kind]

/** The task that passes an entry to its readers. */
export const JOURNAL_TASK = 'journal'

/** Writes the journal entry of a command and queues the job for its readers, both in the transaction of the command. */
export async function record<Kind extends JournalKind>(
  tx: Tx,
  { actor, now, requestId }: Recording,
  entry: Entry<Kind> & { kind: Kind; changes?: unknown; personal?: unknown },
): Promise<number> {
  const { changes, personal } = entry as Entry
  const { id } = await tx
    .with('entry', (db) =>
      db
        .insertInto('journal')
        .values({
          at: now,
          kind: entry.kind,
          ...actorOf(actor),
          subject_kind: entry.subject.kind,
          subject_id: entry.subject.id,
          event_id: entry.eventId ?? null,
          request_id: requestId,
          changes: JSON.stringify({ ...changes, ...actedFor(actor), ...byAssistant(actor) }),
          person_id: personal?.personId ?? null,
          personal: personal ? JSON.stringify(personal.values) : null,
        })
        .returning('id'),
    )
    .selectFrom('entry')
    .select(['id', sql<number>`(graphile_worker.add_job(${JOURNAL_TASK}, json_build_object('id', entry.id))).id`.as('job')])
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Writes entries of a command about many people with one statement. Readers do not get them: nobody is notified about each person of a
 * list.
 */
export async function recordAll(tx: Tx, context: Recording, entries: readonly Entry[]): Promise<void> {
  if (entries.length) await insertEntries(context, entries).execute(tx)
}

/** As `record`, for a command that makes many records of one kind: one statement writes the entries and queues a job for each. */
export async function recordEach(tx: Tx, context: Recording, entries: readonly Entry[]): Promise<void> {
  if (!entries.length) return
  await sql`with entry as (${insertEntries(context, entries)} returning id)
    select graphile_worker.add_job(${JOURNAL_TASK}, json_build_object('id', entry.id)) from entry`.execute(tx)
}

type Recording = Pick<CommandContext, 'actor' | 'now' | 'requestId'>

function insertEntries({ actor, now, requestId }: Recording, entries: readonly Entry[]): RawBuilder<unknown> {
  const { actor_kind, actor_id } = actorOf(actor)
  const rows = entries.map(({ kind, subject, eventId, changes, personal }) => ({
    kind,
    subject_kind: subject.kind,
    subject_id: subject.id,
    event_id: eventId ?? null,
    changes: { ...changes, ...actedFor(actor), ...byAssistant(actor) },
    person_id: personal?.personId ?? null,
    personal: personal?.values ?? null,
  }))
  return sql`
    insert into journal (at, kind, actor_kind, actor_id, subject_kind, subject_id, event_id, request_id, changes, person_id, personal)
    select ${now}, kind, ${actor_kind}, ${actor_id}, subject_kind, subject_id, event_id, ${requestId}, changes, person_id, personal
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as entry (kind text, subject_kind text, subject_id bigint, event_id bigint, changes jsonb, person_id bigint, personal jsonb)`
}

/** Whom a guardian acted for. */
const actedFor = (actor: Actor) => (actor.kind === 'user' && actor.by ? { acted_for_id: actor.userId } : {})

/** The person let an assistant act. Actors of test support may lack `via`. */
const byAssistant = (actor: Actor) =>
  actor.kind === 'user' && actor.via?.kind === 'token' && actor.via.isForAssistant ? { by_assistant: true } : {}

export function actorOf(actor: Actor): { actor_kind: string; actor_id: number | null } {
  switch (actor.kind) {
    case 'user':
      return { actor_kind: 'user', actor_id: actor.by?.userId ?? actor.userId }
    case 'partner':
      return { actor_kind: 'partner', actor_id: actor.federatedGuestId }
    case 'visitor':
      return { actor_kind: 'visitor', actor_id: actor.visitorId }
    case 'guest':
      return { actor_kind: 'guest', actor_id: actor.guestId }
    case 'anonymous':
      // Commands of the command line and of jobs.
      return { actor_kind: 'system', actor_id: null }
  }
}

/** Clears personal values of a person; the entries remain. */
export async function erasePerson(tx: Tx, personId: number): Promise<void> {
  await tx
    .updateTable('journal')
    .set({ personal: null })
    .where('person_id', '=', personId)
    .where('personal', 'is not', null)
    .execute()
}

/** Clears personal values about many people. */
export async function erasePeople(tx: Tx, personIds: readonly number[]): Promise<void> {
  await sql`update journal set personal = null where person_id = any (${personIds}::bigint[]) and personal is not null`.execute(
    tx,
  )
}

/** Removes one personal value from the entries about these people. */
export async function clearFieldInJournal(tx: Tx, personIds: readonly number[], field: string): Promise<void> {
  await sql`update journal set personal = personal - ${field}::text
    where person_id = any (${personIds}::bigint[]) and personal ? ${field}`.execute(tx)
}

const BATCH_SIZE = 10_000

/** In steps, so that no lock is held for long. Returns the number of entries. */
export async function deleteOldEntries(db: Kysely<DB>, before: Date): Promise<number> {
  for (let deleted = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from journal where id in (select id from journal where at < ${before} order by id limit ${BATCH_SIZE})`.execute(db)
    deleted += Number(numAffectedRows)
    if (numAffectedRows < BATCH_SIZE) return deleted
  }
}

/** Replaces what identifies an erased person in all entries. `pattern`: a regular expression of the database. */
export async function redactJournal(tx: Tx, pattern: string, replacement: string): Promise<void> {
  await sql`
    update journal set changes = regexp_replace(changes::text, ${pattern}, ${replacement}, 'g')::jsonb,
      personal = regexp_replace(personal::text, ${pattern}, ${replacement}, 'g')::jsonb
    where changes::text ~ ${pattern} or personal::text ~ ${pattern}`.execute(tx)
}

/** Clears personal values in what these visitors or guests did; the entries remain. */
export async function eraseActors(tx: Tx, kind: 'visitor' | 'guest', ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  await tx
    .updateTable('journal')
    .set({ personal: null })
    .where('actor_kind', '=', kind)
    .where('actor_id', 'in', ids)
    .where('personal', 'is not', null)
    .execute()
}
