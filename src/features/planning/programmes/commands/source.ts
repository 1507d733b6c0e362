import { sql } from 'kysely'
import { lockPlannedEvent } from '#features/planning/planning/commands/events.ts'
import { changesBetween } from '#features/planning/planning/rules/changes.ts'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { requireFound } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { getProgramme } from '../queries/programme.ts'
import { nextRequestAt } from '../rules/following.ts'
import { DEFAULT_OPTIONS, type ProgrammeOptions } from '../rules/options.ts'
import type { ReadFile } from './fetch.ts'

type Source =
  | { kind: 'file'; fileName: string }
  | { kind: 'address'; url: string; etag: string | null; lastModified: string | null }

/** Stores a programme that was read. Shifts stay as they are until it is applied. */
export function setSource(
  context: CommandContext,
  { eventId, source, file }: { eventId: number; source: Source; file: ReadFile },
): Promise<void> {
  const { now } = context
  return transact(context.db, async (tx) => {
    await lockPlannedEvent(tx, context, eventId)
    const before = await getProgramme(tx, eventId)
    const isAddress = source.kind === 'address'
    const values = {
      ...fileColumns(file),
      url: isAddress ? source.url : null,
      file_name: isAddress ? '' : source.fileName,
      read_at: now,
      etag: isAddress ? source.etag : null,
      last_modified: isAddress ? source.lastModified : null,
      succeeded_at: isAddress ? now : null,
      failed_at: null,
      failure: null,
      failures: 0,
      next_at: isAddress ? nextRequestAt(now, 0) : null,
      // The planner who gives the source sees the preview.
      announced: null,
      ...(isAddress && before?.url === source.url ? {} : { automatic_by_id: null }),
    }
    await tx
      .insertInto('programme')
      .values({ event_id: eventId, options: JSON.stringify(DEFAULT_OPTIONS), ...values })
      .onConflict((conflict) => conflict.column('event_id').doUpdateSet(values))
      .execute()
    await record(tx, context, {
      kind: 'event.programme_read',
      subject: { kind: 'event', id: eventId },
      eventId,
      // Only the host: the rest of an address can be a secret.
      changes: {
        source: [null, isAddress ? new URL(source.url).host : source.fileName],
        sessions: [before?.content.sessions.length ?? null, file.content.sessions.length],
      },
    })
  })
}

export const fileColumns = ({ format, title, content }: ReadFile) => ({ format, title, content: JSON.stringify(content) })

export async function requireProgramme(tx: Tx, eventId: number) {
  return requireFound(await getProgramme(tx, eventId))
}

/** `isAutomatic`: the job applies changes of times where nobody has signed up, with the permissions of the caller. */
export function changeOptions(
  context: CommandContext,
  { eventId, options, isAutomatic }: { eventId: number; options: ProgrammeOptions; isAutomatic: boolean },
): Promise<void> {
  return transact(context.db, async (tx) => {
    await lockPlannedEvent(tx, context, eventId)
    const before = await requireProgramme(tx, eventId)
    const userId = userIdOrNull(context.actor)
    const wasAutomatic = before.automaticById !== null
    const automaticById = isAutomatic && before.url !== null ? (before.automaticById ?? userId) : null
    const changes = changesBetween(
      { ...before.options, automatic: wasAutomatic },
      { ...options, automatic: automaticById !== null },
    )
    if (!Object.keys(changes).length) return
    await sql`update programme set options = ${JSON.stringify(options)}::jsonb, automatic_by_id = ${automaticById}
      where event_id = ${eventId}`.execute(tx)
    await record(tx, context, {
      kind: 'event.programme_options_changed',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { options: [null, Object.keys(changes)] },
    })
  })
}

/** Shifts stay; they no longer follow the programme. */
export function removeProgramme(context: CommandContext, { eventId }: { eventId: number }): Promise<void> {
  return transact(context.db, async (tx) => {
    await lockPlannedEvent(tx, context, eventId)
    await requireProgramme(tx, eventId)
    await tx.deleteFrom('programme').where('event_id', '=', eventId).execute()
    await record(tx, context, { kind: 'event.programme_removed', subject: { kind: 'event', id: eventId }, eventId })
  })
}

/** When a person is erased: nothing is applied in their name any more. */
export async function stopAutomaticOf(tx: Tx, userId: number): Promise<void> {
  await tx.updateTable('programme').set({ automatic_by_id: null }).where('automatic_by_id', '=', userId).execute()
}
