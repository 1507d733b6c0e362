import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem } from '#platform/http/problem.ts'
import { addPeriod, addWeeklyTime, deleteEntry, requireUser } from './commands/entries.ts'
import { findOwnAvailability } from './queries/availability.ts'
import { readClock, writeClock } from './rules/availability.ts'
import { availabilityBody, availabilityRecord } from './schema.ts'

const PATH = '/api/users/me/availability/'
const tag = 'users'
type Body = z.infer<typeof availabilityBody>
type Stored = Awaited<ReturnType<typeof findOwnAvailability>>

const todayOf = ({ words, now }: RequestContext): string => words.inputDate(now)

function findStored(context: RequestContext): Promise<Stored> {
  const { actor } = context
  return findOwnAvailability(context.db, userIdOf(actor), todayOf(context))
}

const presentWeekly = ({ kind, weekday, from, until }: Stored['weekly'][number]) => ({
  kind,
  weekday,
  from: writeClock(from),
  until: writeClock(until),
})
const presentDays = ({ kind, first, last }: Stored['periods'][number]) => ({ kind, first, last })

const present = ({ weekly, periods }: Stored) => ({ weekly: weekly.map(presentWeekly), days: periods.map(presentDays) })
const presentOwn = async (context: RequestContext) => present(await findStored(context))

type Outcome = { ok: true } | { ok: false; reason: 'order' | 'too_many' | 'past' }

/** Adds and deletes what differs, by the commands of the page. Equal entries count once. */
async function replace<Entry extends object>(
  wanted: readonly Entry[] | undefined,
  stored: readonly (Entry & { id: number })[],
  {
    remove,
    add,
  }: { remove: (id: number) => Promise<void>; add: (entry: Entry, index: number) => Promise<InputError | undefined> },
): Promise<InputError[]> {
  if (!wanted) return []
  const isSame =
    ({ id: _id, ...entry }: Entry & { id: number }) =>
    (other: Entry) =>
      isDeepStrictEqual(entry, other)
  for (const entry of stored) if (!wanted.some(isSame(entry))) await remove(entry.id)
  const errors: InputError[] = []
  for (const [index, entry] of wanted.entries()) {
    const isFirst = wanted.findIndex((other) => isDeepStrictEqual(other, entry)) === index
    const error = isFirst && !stored.some((each) => isSame(each)(entry)) ? await add(entry, index) : undefined
    if (error) errors.push(error)
  }
  return errors
}

/** With the lock of the commands, so that the entries that are compared are those that are replaced. */
const save = (context: WriteContext, body: Body): Promise<void> =>
  transact(context.db, async (tx) => {
    await lockPerson(tx, requireUser(context))
    await saveLocked(context, body)
  })

async function saveLocked(context: WriteContext, { weekly, days }: Body): Promise<void> {
  const { weekly: weeklyRows, periods } = await findStored(context)
  const stored = present({ weekly: weeklyRows, periods })
  const errorOf = (outcome: Outcome, pointer: string): InputError | undefined =>
    outcome.ok ? undefined : { pointer, code: outcome.reason, detail: context.words.t(`availability.refused_${outcome.reason}`) }
  const errors = [
    ...(await replace(weekly, withIds(stored.weekly, weeklyRows), {
      remove: (id) => deleteEntry(context, 'weekly_time', id),
      add: async ({ kind, weekday, from, until }, index) =>
        errorOf(
          await addWeeklyTime(context, { kind, weekday, from: readClock(from)!, until: readClock(until)! }),
          `/weekly/${index}/until`,
        ),
    })),
    ...(await replace(days, withIds(stored.days, periods), {
      remove: (id) => deleteEntry(context, 'day_period', id),
      add: async (entry, index) => errorOf(await addPeriod(context, entry, todayOf(context)), `/days/${index}/last`),
    })),
  ]
  if (errors.length) throw new Problem('invalid_input', { errors })
}

const withIds = <Entry extends object>(entries: readonly Entry[], rows: readonly { id: number }[]) =>
  entries.map((entry, index) => ({ ...entry, id: rows[index]!.id }))

export const availabilityApi: Endpoint[] = [
  recordEndpoint({
    path: PATH,
    access: scope('ME_READ'),
    name: 'Own Availability',
    operationId: 'users_me_availability_retrieve',
    tag,
    summary: 'When the caller can or cannot, as they said',
    description: 'Without the times of private calendars.',
    parameters: {},
    record: availabilityRecord,
    get: (context) => findStored(context),
    present,
  }),
  writeEndpoint({
    method: 'PATCH',
    path: PATH,
    access: scope('ME_WRITE'),
    name: 'Own Availability',
    operationId: 'users_me_availability_update',
    tag,
    summary: 'Say when you can or cannot',
    description: 'A list replaces what was said before; a list that is absent stays. Equal entries count once.',
    suffix: false,
    body: availabilityBody,
    target: presentOwn,
    responses: { 200: { description: 'The availability', schema: availabilityRecord, access: scope('ME_READ') } },
    perform: async (context, _path, body) => {
      await save(context, body)
      return { status: 200, body: await presentOwn(context) }
    },
  }),
]
