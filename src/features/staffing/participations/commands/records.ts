import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { writeAnswers } from '#features/events/questionnaires/commands.ts'
import type { Answers } from '#features/events/questionnaires/rules.ts'
import type { OwnRecord, Participant } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { IndividualTimes } from '#features/staffing/eligibility/rules/individual-times.ts'
import { forgetPlaceBasis, withoutPlaceBasis } from '#features/staffing/staffing/commands/place-basis.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { LoadedSkills } from '#features/staffing/staffing/queries/staffing.ts'
import { isIn, type State } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { Changes } from '#platform/journal/kinds.ts'
import { type CompanionRecord, findCompanions } from '../queries/companions.ts'
import type { ParticipationValues } from '../rules/undo.ts'
import { copyStateToFollowers, followersOf } from './coupling.ts'

export type NewComment = { text: string; level: 0 | 1 | 2; by: 'participant' | 'responsible' }

type ParticipationChange = {
  kind:
    | 'participation.signed_up'
    | 'participation.declined'
    | 'participation.customized'
    | 'participation.moved'
    | 'participation.given_up'
    | 'participation.handed_over'
    | 'participation.taken_over'
    | 'participation.companion_added'
    | 'participation.companion_removed'
    | 'participation.left_together'
  shift: { id: number; eventId: number }
  who: Participant | { placeholder: string }
  before: OwnRecord | undefined
  state: State
  times: IndividualTimes
  structureData: unknown
  /** The participation of the person who brings a new placeholder. */
  broughtBy?: number
  /** Changed answers before and after. */
  answers?: [before: Answers, after: Answers] | undefined
  comment?: NewComment | undefined
  /** What else than a decision about this participation caused the change; stored in the journal. */
  cause?: string
  /** What the statistics of the shift need, as the command has read it with the event locked. */
  loaded?: LoadedSkills
}

const COLUMNS = { local: 'user_id', visitor: 'visitor_id', guest: 'guest_id' } as const

function personColumns(who: ParticipationChange['who']) {
  if ('placeholder' in who) return { kind: 'placeholder', placeholder_name: who.placeholder }
  return { kind: who.kind, [COLUMNS[who.kind]]: who.id }
}

/**
 * Writes one participation and everything that follows from it: companions who leave too, coupled shifts, statistics, the comment and one
 * journal entry.
 * Writes nothing if nothing changed. The caller holds the locks of the person and the event.
 */
export async function writeParticipation(
  tx: Tx,
  context: CommandContext,
  change: ParticipationChange,
): Promise<{ id: number; hasChanged: boolean; entryId?: number }> {
  const { shift, who, before, state, times, structureData, answers, comment, cause, loaded } = change
  const changes = changesOf(change)
  const hasChanged = Object.keys(changes).length > 0 || answers !== undefined
  if (before && !hasChanged && !comment) return { id: before.id, hasChanged: false }
  const values = {
    state,
    individual_start_time: times.start,
    individual_end_time: times.end,
    structure_data: JSON.stringify(structureData),
  }
  const { id, followers: coupled } = before
    ? await update(tx, change, before, Object.keys(changes).length ? values : {})
    : await insert(tx, context, change, values)
  if (answers) await writeAnswers(tx, id, answers)
  const mayLeaveOthers = before && isIn(before.state) && !isIn(state) && before.companions !== 0
  const left = mayLeaveOthers ? await removeCompanions(tx, context, change, id) : []
  const commentId = comment && (await addComment(tx, context, id, comment))
  const isMoved = state !== before?.state
  if (isMoved) await copyStateToFollowers(tx, context, { shiftId: shift.id, participationId: id, followers: coupled })
  const followers = isMoved ? coupled : []
  // What was loaded is about this shift alone.
  await refreshStatistics(tx, [shift.id, ...followers], followers.length ? undefined : loaded)
  const entryId = await record(tx, context, {
    kind: change.kind,
    subject: { kind: 'participation', id },
    eventId: shift.eventId,
    changes: {
      ...changes,
      ...(commentId === undefined ? {} : { comment_id: commentId }),
      ...(cause && { cause }),
      ...(left.length > 0 && { companions: { removed: left.map((companion) => companion.id) } }),
    },
    ...(answers && { personal: { personId: 'kind' in who && who.kind === 'local' ? who.id : null, values: { answers } } }),
  })
  return { id, hasChanged: true, entryId }
}

/** On the shift and on those that are coupled to it. */
export async function renameCompanion(tx: Tx, bringerId: number, from: string, to: string): Promise<void> {
  await sql`update participation set placeholder_name = ${to}
    where brought_by_id = ${bringerId} and placeholder_name = ${from}`.execute(tx)
}

/** The companions of a person who leaves get the same state as the person. */
async function removeCompanions(
  tx: Tx,
  context: CommandContext,
  { shift, state }: ParticipationChange,
  id: number,
): Promise<CompanionRecord[]> {
  const companions = (await findCompanions(tx, id)).filter((companion) => isIn(companion.state))
  for (const companion of companions)
    await writeParticipation(tx, context, {
      kind: 'participation.left_together',
      shift,
      who: { placeholder: companion.name },
      before: companion,
      state,
      times: { start: companion.individualStart, end: companion.individualEnd },
      structureData: companion.structureData,
    })
  return companions
}

type Written = { id: number; followers: number[] }
type Values = {
  state: State
  individual_start_time: Date | null
  individual_end_time: Date | null
  structure_data: string
}

async function update(
  tx: Tx,
  { kind, shift, state }: ParticipationChange,
  { id, state: stateBefore }: OwnRecord,
  values: Partial<Values>,
): Promise<Written> {
  const isDecided = state !== stateBefore || kind === 'participation.moved'
  if (!Object.keys(values).length) {
    if (isDecided) await forgetPlaceBasis(tx, id)
    return { id, followers: [] }
  }
  const from = isDecided ? tx.with('forgotten', () => sql<Record<string, never>>`(${withoutPlaceBasis(id)})`) : tx
  const written = from.updateTable('participation').set(values).where('id', '=', id)
  const { followers } = await written.returning(followersOf(shift.id).as('followers')).executeTakeFirstOrThrow()
  return { id, followers }
}

async function insert(
  tx: Tx,
  { now }: CommandContext,
  { shift, who, broughtBy }: ParticipationChange,
  values: Values,
): Promise<Written> {
  // A trigger overwrites event and effective times; the columns are not null.
  const setByTrigger = { event_id: shift.eventId, start_time: now, end_time: now }
  return tx
    .insertInto('participation')
    .values({
      ...personColumns(who),
      ...values,
      ...setByTrigger,
      shift_id: shift.id,
      created_at: now,
      brought_by_id: broughtBy ?? null,
    })
    .returning(['id', followersOf(shift.id).as('followers')])
    .executeTakeFirstOrThrow()
}

function changesOf({ before, state, times, structureData }: ParticipationChange): Changes<ParticipationValues> {
  const iso = (date: Date | null | undefined) => date?.toISOString() ?? null
  const pairs: Required<Changes<ParticipationValues>> = {
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
  { text, level, by }: NewComment,
): Promise<number> {
  const { id } = await tx
    .insertInto('participation_comment')
    .values({
      participation_id: participationId,
      text,
      visible_for: level,
      author_kind: by,
      author_id: actor.kind === 'user' ? (actor.by?.userId ?? actor.userId) : null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
