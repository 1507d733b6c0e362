import { isDeepStrictEqual } from 'node:util'
import { refreshStatistics } from '#features/staffing/commands/statistics.ts'
import type { State } from '#features/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { OwnRecord, Participant } from '../rules/candidacy.ts'
import type { IndividualTimes } from '../rules/individual-times.ts'
import { mirror } from './coupling.ts'

export type CommentWish = { text: string; level: 0 | 1 | 2; by: 'participant' | 'responsible' }

export type Writing = {
  kind: 'participation.signed_up' | 'participation.declined' | 'participation.customized' | 'participation.moved'
  shift: { id: number; eventId: number }
  who: Participant | { placeholder: string }
  before: OwnRecord | undefined
  state: State
  times: IndividualTimes
  structureData: unknown
  comment?: CommentWish | undefined
}

const COLUMNS = { local: 'user_id', visitor: 'visitor_id', guest: 'guest_id' } as const

function personColumns(who: Writing['who']) {
  if ('placeholder' in who) return { kind: 'placeholder', placeholder_name: who.placeholder }
  return { kind: who.kind, [COLUMNS[who.kind]]: who.id }
}

/**
 * Writes one participation with all that follows from it: shifts that are coupled to this one, statistics, the comment and one
 * entry of the journal. Under the locks of the person and the event. What is as it was is not written.
 */
export async function writeParticipation(
  tx: Tx,
  context: CommandContext,
  writing: Writing,
): Promise<{ id: number; hasChanged: boolean }> {
  const { shift, before, state, times, structureData, comment } = writing
  const changes = changesOf(writing)
  if (before && !Object.keys(changes).length && !comment) return { id: before.id, hasChanged: false }
  const values = {
    state,
    individual_start_time: times.start,
    individual_end_time: times.end,
    structure_data: JSON.stringify(structureData),
  }
  const id = before ? before.id : await insert(tx, context, writing, values)
  if (before && Object.keys(changes).length) await tx.updateTable('participation').set(values).where('id', '=', id).execute()
  const commentId = comment && (await addComment(tx, context, id, comment))
  const followers = state === before?.state ? [] : await mirror(tx, context, shift.id, id)
  await refreshStatistics(tx, [shift.id, ...followers])
  await record(tx, context, {
    kind: writing.kind,
    subject: { kind: 'participation', id },
    eventId: shift.eventId,
    changes: { ...changes, ...(commentId === undefined ? {} : { comment_id: commentId }) },
  })
  return { id, hasChanged: true }
}

async function insert(
  tx: Tx,
  { now }: CommandContext,
  { shift, who }: Writing,
  values: { state: State; individual_start_time: Date | null; individual_end_time: Date | null; structure_data: string },
): Promise<number> {
  // Event and effective times are kept by a trigger, whatever is written here.
  const placed = { event_id: shift.eventId, start_time: now, end_time: now }
  const { id } = await tx
    .insertInto('participation')
    .values({ ...personColumns(who), ...values, ...placed, shift_id: shift.id, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function changesOf({ before, state, times, structureData }: Writing): Record<string, unknown> {
  const iso = (date: Date | null | undefined) => date?.toISOString() ?? null
  const pairs: Record<string, [unknown, unknown]> = {
    state: [before?.state ?? null, state],
    individual_start_time: [iso(before?.individualStart), iso(times.start)],
    individual_end_time: [iso(before?.individualEnd), iso(times.end)],
    structure_data: [before?.structureData ?? {}, structureData],
  }
  return Object.fromEntries(Object.entries(pairs).filter(([, [from, to]]) => !isDeepStrictEqual(from, to)))
}

async function addComment(
  tx: Tx,
  { actor, now }: CommandContext,
  participationId: number,
  { text, level, by }: CommentWish,
): Promise<number> {
  const { id } = await tx
    .insertInto('participation_comment')
    .values({
      participation_id: participationId,
      text,
      visible_for: level,
      author_kind: by,
      author_id: actor.kind === 'user' ? actor.userId : null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
