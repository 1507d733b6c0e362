import { sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'

export type Entry = {
  /** What happened, for example `participation.moved`. */
  kind: `${string}.${string}`
  subject: { kind: string; id: number | null }
  /** The event whose log shows the entry. */
  eventId?: number
  /** Changed fields without personal data. */
  changes?: Record<string, unknown>
  /**
   * Values about a person; cleared when that person is erased. `personId` null: the person is the actor, a visitor or guest without an
   * account here.
   */
  personal?: { personId: number | null; values: Record<string, unknown> }
}

/** The task that passes an entry to its readers. */
export const JOURNAL_TASK = 'journal'

/** Writes the journal entry of a command and queues the job for its readers, both in the transaction of the command. */
export async function record(
  tx: Tx,
  { actor, now, requestId }: Pick<CommandContext, 'actor' | 'now' | 'requestId'>,
  entry: Entry,
): Promise<number> {
  const { id } = await tx
    .insertInto('journal')
    .values({
      at: now,
      kind: entry.kind,
      ...actorOf(actor),
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      event_id: entry.eventId ?? null,
      request_id: requestId,
      changes: JSON.stringify(entry.changes ?? {}),
      person_id: entry.personal?.personId ?? null,
      personal: entry.personal ? JSON.stringify(entry.personal.values) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`select graphile_worker.add_job(${JOURNAL_TASK}, json_build_object('id', ${id}::bigint))`.execute(tx)
  return id
}

export function actorOf(actor: Actor): { actor_kind: string; actor_id: number | null } {
  switch (actor.kind) {
    case 'user':
      return { actor_kind: 'user', actor_id: actor.userId }
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
