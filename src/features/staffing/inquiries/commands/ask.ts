import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { readSignupRules } from '#features/staffing/staffing/flows/registry.ts'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { findCandidates } from '../queries/candidates.ts'
import { nextWaveAt, notifyAt } from '../rules/waves.ts'
import { inquirySettings } from '../schema.ts'

type AskInput = {
  shiftId: number
  /** Chosen people, or as many as given of those who come next. */
  who: readonly number[] | { next: number }
  wanted: number
  /** Undefined: everybody at once. */
  waves: { size: number; hours: number } | undefined
  message: string
}
export type AskRefusal = 'nobody' | 'not_open'
/** `notifiedAt`: when their messages go out. */
export type AskOutcome =
  | { ok: true; inquiryId: number; asked: number; waiting: number; notifiedAt: Date }
  | { ok: false; reason: AskRefusal }

const DAY_MS = 24 * 3_600_000

type PlannedShift = { eventId: number; start: Date; end: Date; flowSlug: string; flowConfiguration: unknown; lacking: number }

async function requirePlannedShift(tx: Tx, { actor }: CommandContext, shiftId: number): Promise<PlannedShift> {
  const shift = await rowsOf(tx).first(sql<PlannedShift>`
    select s.event_id as "eventId", s.start_time as start, s.end_time as end, s.signup_flow_slug as "flowSlug",
      s.signup_flow_configuration as "flowConfiguration", greatest(s.missing, s.shortfall) as lacking
    from shift s join event e on e.id = s.event_id where s.id = ${shiftId} and e.deleted_at is null and ${changeableBy(actor)}`)
  if (!shift) throw new Problem('not_found')
  return shift
}

/**
 * Asks people whether they can take part: all at once, or the first ones now and others in waves. Only people who could sign up at
 * this moment are asked; the locks on them keep the limit per day when two planners ask at the same time.
 */
export function askPeople(
  context: CommandContext,
  input: AskInput,
  guard: Pick<typeof GUARD, 'lockPeople' | 'checked'> = GUARD,
): Promise<AskOutcome> {
  return transact(context.db, async (tx) => {
    const { now, site, actor } = context
    const shift = await requirePlannedShift(tx, context, input.shiftId)
    const { inquiries_per_day: perDay } = await getSettings(tx, inquirySettings)
    const find = (ids?: readonly number[]) => findCandidates({ db: tx, now, site, actor }, input.shiftId, { perDay, ids })
    const ids = 'next' in input.who ? (await find()).people.slice(0, input.who.next).map(({ id }) => id) : input.who
    await guard.lockPeople(
      tx,
      ids.map((id) => ({ kind: 'local', id })),
    )
    const rules = readSignupRules(shift, site.timeZone)
    if (!rules || rules.selfServiceRefusal || rules.closesAt <= now) return { ok: false, reason: 'not_open' }
    const able = (await find(ids)).people
    if (!able.length) return { ok: false, reason: 'nobody' }
    await guard.checked()
    const { waves, wanted, message } = input
    const times = { start: shift.start, closesAt: rules.closesAt, timeZone: site.timeZone }
    const first = waves ? able.slice(0, waves.size) : able
    const hasMore = first.length < able.length
    const { id } = await tx
      .insertInto('inquiry')
      .values({
        shift_id: input.shiftId,
        created_by_id: userIdOrNull(actor),
        created_at: now,
        message,
        wanted,
        was_short: shift.lacking > 0,
        wave_size: waves?.size ?? null,
        wave_hours: waves?.hours ?? null,
        next_wave_at: waves && hasMore ? nextWaveAt(now, { hours: waves.hours, ...times }) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('inquiry_person')
      .values(
        able.map((person, position) => ({
          inquiry_id: id,
          user_id: person.id,
          position,
          ...(position < first.length ? { wave: 1, asked_at: now, expires_at: rules.closesAt } : {}),
        })),
      )
      .execute()
    await recordAsked(tx, context, {
      shiftId: input.shiftId,
      eventId: shift.eventId,
      inquiryId: id,
      wave: 1,
      userIds: first.map((one) => one.id),
      closesAt: rules.closesAt,
    })
    return {
      ok: true,
      inquiryId: id,
      asked: first.length,
      waiting: able.length - first.length,
      notifiedAt: notifyAt(now, times),
    }
  })
}

type Asked = { shiftId: number; eventId: number; inquiryId: number; wave: number; userIds: readonly number[]; closesAt: Date }

async function recordAsked(
  tx: Tx,
  context: CommandContext,
  { shiftId, eventId, inquiryId, wave, userIds, closesAt }: Asked,
): Promise<void> {
  await record(tx, context, {
    kind: 'shift.asked',
    subject: { kind: 'shift', id: shiftId },
    eventId,
    changes: { inquiry: inquiryId, wave, users: [...userIds], until: closesAt.toISOString() },
  })
}

/**
 * The next people of an inquiry. Those who were asked by others as often as allowed today wait for a later wave. They are locked before they
 * are counted: a statement that waits for a lock still counts what it saw when it began.
 */
export async function sendWave(
  tx: Tx,
  context: CommandContext,
  inquiryId: number,
  closesAt: Date,
  guard: Pick<typeof GUARD, 'lockPeople' | 'checked'> = GUARD,
): Promise<number> {
  const { now, site } = context
  const inquiry = await tx
    .selectFrom('inquiry')
    .innerJoin('shift', 'shift.id', 'inquiry.shift_id')
    .select(['inquiry.shift_id', 'shift.event_id', 'shift.start_time', 'inquiry.wave', 'inquiry.wave_size', 'inquiry.wave_hours'])
    .where('inquiry.id', '=', inquiryId)
    .executeTakeFirstOrThrow()
  const waiting = await tx
    .selectFrom('inquiry_person')
    .select('user_id as id')
    .where('inquiry_id', '=', inquiryId)
    .where('asked_at', 'is', null)
    .execute()
  await guard.lockPeople(
    tx,
    waiting.map(({ id }) => ({ kind: 'local', id })),
  )
  const { inquiries_per_day: perDay } = await getSettings(tx, inquirySettings)
  const { rows } = await sql<{ id: number; userId: number }>`
    select i.id, i.user_id as "userId" from inquiry_person i join user_profile u on u.id = i.user_id
    where i.inquiry_id = ${inquiryId} and i.asked_at is null and u.is_active
      and not exists (select from participation p where p.shift_id = ${inquiry.shift_id} and p.kind = 'local' and p.user_id = i.user_id)
      and (select count(*) from inquiry_person o where o.user_id = i.user_id and o.asked_at > ${new Date(now.getTime() - DAY_MS)}) < ${perDay}
    order by i.position limit ${inquiry.wave_size ?? 1}`.execute(tx)
  await guard.checked()
  const wave = inquiry.wave + 1
  if (rows.length)
    await tx
      .updateTable('inquiry_person')
      .set({ wave, asked_at: now, expires_at: closesAt })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
  await tx
    .updateTable('inquiry')
    .set({
      wave,
      next_wave_at: nextWaveAt(now, {
        hours: inquiry.wave_hours ?? 1,
        start: inquiry.start_time,
        closesAt,
        timeZone: site.timeZone,
      }),
    })
    .where('id', '=', inquiryId)
    .execute()
  if (rows.length)
    await recordAsked(tx, context, {
      shiftId: inquiry.shift_id,
      eventId: inquiry.event_id,
      inquiryId,
      wave,
      userIds: rows.map(({ userId }) => userId),
      closesAt,
    })
  return rows.length
}
