import { sql } from 'kysely'
import type { RequestData, RequestKind } from '#features/accounts/requests/access.ts'
import { createRequest } from '#features/accounts/requests/commands.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { startOfDay } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { record } from '#platform/journal/journal.ts'
import { pairChanges } from '#platform/journal/kinds.ts'
import { decidesHoursOf } from './access.ts'
import { decidesHours, type Entry, getEntry } from './queries.ts'
import { HOURS_REQUEST, readRequest } from './rules.ts'
import type { HoursForm } from './schema.ts'

type HoursValues = Omit<HoursForm, 'version'>

type Refusal = { ok: false; reason: 'date_future' }

const isFuture = ({ now, site }: CommandContext, date: string): boolean => date > dayOf(now, site.timeZone)

/** A person asks for hours of their own. */
export async function requestHours(
  context: CommandContext,
  { date, hours, reason }: HoursValues,
): Promise<{ ok: true; requestId: number } | Refusal> {
  const { actor } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  if (isFuture(context, date)) return { ok: false, reason: 'date_future' }
  return transact(context.db, async (tx) => {
    const data = { date, hours, reason }
    return { ok: true, requestId: await createRequest(tx, context, { kind: HOURS_REQUEST, userId: actor.userId, data }) }
  })
}

/** Undefined: the actor may not decide about this person's hours. */
export async function addHours(
  context: CommandContext,
  userId: number,
  { date, hours, reason }: HoursValues,
): Promise<{ ok: true; id: number } | Refusal | undefined> {
  if (isFuture(context, date)) return { ok: false, reason: 'date_future' }
  return transact(context.db, async (tx) => {
    if (!(await decides(tx, context, userId))) return undefined
    return { ok: true, id: await write(tx, context, { userId, date, hours, reason, requestId: null }) }
  })
}

export type ChangeOutcome = { ok: true; isChanged: boolean } | Refusal | { ok: false; reason: 'outdated'; entry: Entry }

/** Undefined: there is no such entry, or the actor may not change it. */
export async function changeHours(
  context: CommandContext,
  id: number,
  { version, ...values }: HoursForm,
): Promise<ChangeOutcome | undefined> {
  if (isFuture(context, values.date)) return { ok: false, reason: 'date_future' }
  return transact(context.db, async (tx): Promise<ChangeOutcome | undefined> => {
    const entry = await lockEntry(tx, context, id)
    if (!entry) return undefined
    if (entry.version !== version) return { ok: false, reason: 'outdated', entry }
    const names = (['date', 'hours', 'reason'] as const).filter((name) => entry[name] !== values[name])
    if (!names.length) return { ok: true, isChanged: false }
    await tx.updateTable('working_hours').set(values).where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'working_hours.changed',
      subject: { kind: 'user', id: entry.userId },
      changes: { entry: id },
      personal: { personId: entry.userId, values: pairChanges(names, entry, values) },
    })
    return { ok: true, isChanged: true }
  })
}

/** Undefined: there is no such entry, or the actor may not delete it. */
export async function deleteHours(context: CommandContext, id: number): Promise<Entry | undefined> {
  return transact(context.db, async (tx) => {
    const entry = await lockEntry(tx, context, id)
    if (!entry) return undefined
    await tx.deleteFrom('working_hours').where('id', '=', id).execute()
    const { date, hours, reason } = entry
    await record(tx, context, {
      kind: 'working_hours.deleted',
      subject: { kind: 'user', id: entry.userId },
      changes: { entry: id },
      personal: { personId: entry.userId, values: { date: [date, null], hours: [hours, null], reason: [reason, null] } },
    })
    return entry
  })
}

async function lockEntry(tx: Tx, { actor }: CommandContext, id: number): Promise<Entry | undefined> {
  await sql`select from working_hours where id = ${id} for update`.execute(tx)
  return getEntry({ db: tx, actor }, id)
}

async function decides(tx: Tx, { actor }: CommandContext, userId: number): Promise<boolean> {
  return rowsOf(tx).exists(sql`
    select from user_profile u where u.id = ${userId} and u.deleted_at is null and not u.is_service_account and ${decidesHoursOf(actor, sql`u.id`)}`)
}

type NewEntry = HoursValues & { userId: number; requestId: number | null }

async function write(tx: Tx, context: CommandContext, { userId, date, hours, reason, requestId }: NewEntry): Promise<number> {
  const { id } = await tx
    .insertInto('working_hours')
    .values({ user_id: userId, date, hours, reason, request_id: requestId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(tx, context, {
    kind: 'working_hours.added',
    subject: { kind: 'user', id: userId },
    changes: { entry: id },
    personal: { personId: userId, values: { date, hours, reason } },
  })
  return id
}

function describeHours(words: Words, data: RequestData): string {
  const values = readRequest(data)
  if (!values) return words.t('hours.request_unreadable')
  const { date, hours, reason } = values
  return words.t('hours.request_line', { hours, date: words.date(startOfDay(date, words.timeZone)), reason })
}

export const hoursRequest: RequestKind = {
  name: HOURS_REQUEST,
  icon: 'clock',
  isDecider: decidesHours,
  isDecidedBy: (actor) => decidesHoursOf(actor, sql`r.user_id`),
  describe: (words, { data }) => ({ text: describeHours(words, data) }),
  apply: async (tx, context, { id, user_id, data }) => {
    const values = readRequest(data)
    if (!values) return { ok: false, reason: 'The request has no valid hours or date.' }
    await write(tx, context, { ...values, userId: user_id, requestId: id })
    return { ok: true }
  },
}

/** The reason may contain personal data, the number of hours does not. */
export async function clearReasonsOf(tx: Tx, userId: number): Promise<void> {
  await tx.updateTable('working_hours').set({ reason: '' }).where('user_id', '=', userId).execute()
}
