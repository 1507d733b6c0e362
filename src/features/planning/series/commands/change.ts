import { sql } from 'kysely'
import type { EventInput } from '#features/events/events/rules/event-fields.ts'
import { cancelIn, changeEvent, deleteIn } from '#features/planning/planning/commands/events.ts'
import { recordShift } from '#features/planning/planning/commands/plan-event.ts'
import { deleteShiftIn } from '#features/planning/planning/commands/removals.ts'
import { changeShiftIn, refreshShifts } from '#features/planning/planning/commands/shifts.ts'
import { insertShift } from '#features/planning/planning/commands/store-shifts.ts'
import { requirePlannedEvent } from '#features/planning/planning/queries/events.ts'
import { findParticipantsOfShifts } from '#features/planning/planning/queries/shifts.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { findSeriesEvents, getSeriesOf, type Series } from '../queries/series.ts'
import {
  advance,
  changesOf,
  digestOf,
  type Effect,
  effectsOn,
  generatedFrom,
  isOver,
  type Scope,
  type SeriesEvent,
  shiftFor,
  targetsOf,
  withEventPart,
  withShiftPart,
} from '../rules/linking.ts'

/** A parameter of the commands, so that a test can show the race without the lock. */
export type SeriesGuard = Guard & { lockSeries: (tx: Tx, seriesId: number) => Promise<void> }

/** Commands lock the series, then people, then events by id, as all commands that lock several events. */
export const SERIES_GUARD: SeriesGuard = {
  ...GUARD,
  lockSeries: async (tx, seriesId) => {
    await tx.selectFrom('event_series').select('id').where('id', '=', seriesId).forUpdate().execute()
  },
}

/** The series of an event that the caller may change, locked. */
export async function lockSeriesOf(
  tx: Tx,
  context: CommandContext,
  eventId: number,
  guard: SeriesGuard,
): Promise<{ series: Series; members: SeriesEvent[]; source: SeriesEvent }> {
  const found = await getSeriesOf(tx, eventId)
  if (found) await guard.lockSeries(tx, found.id)
  const series = found && (await getSeriesOf(tx, eventId))
  const members = series ? await findSeriesEvents(tx, context.actor, series.id) : []
  const source = members.find(({ event }) => event.id === eventId)
  if (series && source) return { series, members, source }
  await requirePlannedEvent({ db: tx, actor: context.actor }, eventId)
  throw new Problem('not_found')
}

async function lockEvents(tx: Tx, events: readonly SeriesEvent[], guard: Guard): Promise<void> {
  for (const id of events.map(({ event }) => event.id).sort((a, b) => a - b)) await guard.lockEvent(tx, id)
}

type ApplyInput = {
  eventId: number
  scope: Scope
  /** Ids of the changes. */
  changes: readonly string[]
  /** Events whose own changes are overwritten. */
  overwrite: readonly number[]
  /** What the planner saw: a digest by event. */
  seen: Readonly<Record<string, string>>
}
type ApplyOutcome =
  /** `stale`: events that were changed since the planner saw them, and stay as they are. */
  | { ok: true; step: number; changed: number; skipped: number; stale: number; notified: number }
  | { ok: false; reason: 'stale' | 'nothing' }

/** Applies changes of one event to the following or all others, except where they were changed by hand. */
export function applyChanges(
  context: CommandContext,
  { eventId, scope, changes: wanted, overwrite, seen }: ApplyInput,
  guard: SeriesGuard = SERIES_GUARD,
): Promise<ApplyOutcome> {
  const { timeZone } = context.site
  return transact(context.db, async (tx) => {
    const first = await lockSeriesOf(tx, context, eventId, guard)
    const touched = targetsOf(first.members, first.source, scope, context.now)
    await guard.lockPeople(
      tx,
      await findParticipantsOfShifts(
        tx,
        touched.flatMap(({ shifts }) => shifts.map(({ id }) => id)),
      ),
    )
    await lockEvents(tx, [first.source, ...touched], guard)
    // Read again: both may have changed while waiting for the locks.
    const members = await findSeriesEvents(tx, context.actor, first.series.id)
    const source = members.find(({ event }) => event.id === eventId)
    const isSeen = (member: SeriesEvent) => seen[member.event.id] === digestOf(member, timeZone)
    if (!source || !isSeen(source)) return { ok: false, reason: 'stale' }
    const changes = changesOf(source, timeZone).filter(({ id }) => wanted.includes(id))
    if (!changes.length) return { ok: false, reason: 'nothing' }
    const targets = targetsOf(members, source, scope, context.now)
    await guard.checked()
    const step = await record(tx, context, {
      kind: 'event.series_changed',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: {
        scope: [null, scope],
        fields: [null, [...new Set(changes.map((each) => ('part' in each ? each.part : each.kind)))]],
      },
    })
    const total = { changed: 0, skipped: 0, stale: 0, notified: 0 }
    const applied: AppliedTo[] = [
      { before: source, done: changes.map((change): Effect => ({ change, does: 'apply' })), keys: new Map() },
    ]
    for (const target of targets) {
      if (!isSeen(target)) {
        total.stale++
        continue
      }
      const effects = effectsOn(target, { source, changes, overwrite: overwrite.includes(target.event.id), timeZone })
      const result = await applyTo(tx, context, { source, target, effects })
      total.changed += result.done.some(({ does }) => does === 'apply') ? 1 : 0
      total.notified += result.notified
      if (effects.some(({ does }) => does === 'differs' || does === 'blocked') || result.hasFailed) total.skipped++
      applied.push({ before: target, done: result.done, keys: result.keys })
    }
    await saveGenerated(tx, context, { seriesId: first.series.id, applied, step })
    return { ok: true, step, ...total }
  })
}

type AppliedTo = { before: SeriesEvent; done: readonly Effect[]; keys: ReadonlyMap<number, number> }
type Applied = { done: Effect[]; notified: number; hasFailed: boolean /** Keys of new shifts. */; keys: Map<number, number> }

async function applyTo(
  tx: Tx,
  context: CommandContext,
  { source, target, effects }: { source: SeriesEvent; target: SeriesEvent; effects: readonly Effect[] },
): Promise<Applied> {
  const { timeZone } = context.site
  const eventId = target.event.id
  const applied: Applied = { done: effects.filter(({ does }) => does === 'same'), notified: 0, hasFailed: false, keys: new Map() }
  const apply = effects.filter(({ does }) => does === 'apply')
  const ofEvent = apply.filter(({ change }) => change.kind === 'event')
  if (ofEvent.length) {
    const input = ofEvent.reduce<EventInput>(
      (event, { change }) => (change.kind === 'event' ? withEventPart(event, change.part, source.event) : event),
      target.event,
    )
    const outcome = await changeEvent(tx, context, { eventId, input, version: {} })
    if (outcome.ok) applied.notified += outcome.notified
    applied.done.push(...ofEvent)
  }
  for (const [shiftId, parts] of Map.groupBy(
    apply.filter(({ change }) => change.kind === 'shift'),
    ({ shift }) => shift!.id,
  )) {
    const input = parts.reduce((shift, { change }) => {
      if (change.kind !== 'shift') return shift
      return withShiftPart(shift, change.part, shiftFor(change.shift, source, target, timeZone))
    }, moveNothing(parts[0]!))
    const outcome = await changeShiftIn(tx, context, { shiftId, input, version: {} })
    if (outcome.ok) {
      applied.notified += outcome.notified
      applied.done.push(...parts)
    } else applied.hasFailed = true
  }
  for (const effect of apply) {
    const { change } = effect
    if (change.kind === 'added') {
      const input = shiftFor(change.shift, source, target, timeZone)
      const id = await insertShift(tx, eventId, input)
      await recordShift(tx, context, { eventId, id, shift: input })
      await refreshShifts(tx, context, [id])
      applied.keys.set(id, change.key)
      applied.done.push(effect)
    }
    if (change.kind === 'removed') {
      const outcome = await deleteShiftIn(tx, context, { eventId, shiftId: effect.shift!.id })
      if (outcome.ok) applied.done.push(effect)
      else applied.hasFailed = true
    }
  }
  return applied
}

const moveNothing = ({ shift }: Effect) => {
  const { id: _id, eventId: _event, confirmed: _confirmed, requested: _requested, ...input } = shift!
  return input
}

/** What was applied counts as made by the series; what was changed by hand stays marked as such. */
async function saveGenerated(
  tx: Tx,
  { actor, site }: CommandContext,
  { seriesId, applied, step }: { seriesId: number; applied: readonly AppliedTo[]; step: number },
): Promise<void> {
  const members = new Map((await findSeriesEvents(tx, actor, seriesId)).map((member) => [member.event.id, member]))
  const rows = applied.flatMap(({ before, done, keys }) => {
    const member = members.get(before.event.id)
    if (!member || !done.length) return []
    const added = [...keys].map(([id, key]) => ({ id, key, parts: {} }))
    const shifts = [...member.generated.shifts, ...added]
    const now = generatedFrom({ ...member, generated: { ...member.generated, shifts } }, site.timeZone)
    const generated = advance(before.generated, now, done)
    return [{ event_id: before.event.id, generated, former: { step, generated: before.generated } }]
  })
  await sql`update event_series_member m set generated = changed.generated, former = changed.former
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as changed (event_id bigint, generated jsonb, former jsonb)
    where m.event_id = changed.event_id`.execute(tx)
}

type EndOutcome = { step: number; ended: number; left: number }

/** Cancels, or moves to the bin, an event of a series and those that follow, except those that are over. */
export function endFollowing(
  context: CommandContext,
  { eventId, end }: { eventId: number; end: { how: 'cancel'; reason: string } | { how: 'delete' } },
  guard: SeriesGuard = SERIES_GUARD,
): Promise<EndOutcome> {
  return transact(context.db, async (tx) => {
    const { members, source } = await lockSeriesOf(tx, context, eventId, guard)
    const ending = members.filter((member) => member.date >= source.date && !isOver(member, context.now))
    await lockEvents(tx, ending, guard)
    const step = await record(tx, context, {
      kind: end.how === 'cancel' ? 'event.series_cancelled' : 'event.series_deleted',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { dates: [null, ending.length] },
    })
    let ended = 0
    for (const { event } of ending) {
      if (end.how === 'delete') await deleteIn(tx, context, { eventId: event.id })
      else if (event.active && !event.cancelledAt) await cancelIn(tx, context, { eventId: event.id, reason: end.reason })
      else continue
      ended++
    }
    return { step, ended, left: ending.length - ended }
  })
}
