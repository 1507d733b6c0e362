import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { Caller } from '#test/support/api-client.ts'
import { addEvent, addParticipation, grantEvent } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { ADDRESSES, type ChangeKind } from './rules/kinds.ts'

const KINDS = [
  'waiting_list',
  'exchanges',
  'inquiries',
  'forecast',
  'attendance',
  'own_waiting_list',
  'own_exchanges',
  'own_inquiries',
  'own_attendance',
  'availability',
  'companions',
] as const satisfies readonly ChangeKind[]
type Entry = { kind: ChangeKind; id: number; what: string; cause: string | null }

const world = await openWorld()
/** Changes all events, and sees those of her groups only: none. */
const carla = await world.addPerson({ name: 'Carla', permissions: ['change_event'] })
const flow = {
  flow: 'instant_confirmation',
  flowConfiguration: { user_can_bring: 3, user_can_decline_confirmed: true },
  configuration: { maximum_number_of_participants: 9 },
}
const event = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [flow, flow, flow] })
const [shift, second, third] = event.shifts as [number, number, number]
const place = await world.addParticipation({ who: ANN, shift, state: 1 })
const otherPlace = await world.addParticipation({ who: BEN, shift: second, state: 1 })
const change = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => transact(world.db.write, work)
const inOneHour = new Date(NOW.getTime() + 3_600_000)

type Reader = { name: string; person: Person; caller: Caller }
const reader = (name: string, person: Person, ...scopes: Parameters<typeof world.token>[1]): Reader => ({
  name,
  person,
  caller: world.as(person, ...scopes),
})
const annOfHerself = reader('Ann, of herself', ANN, 'ME_READ')
const benOfHimself = reader('Ben, of himself', BEN, 'ME_READ')
const paulPlans = reader('Paul, who plans the event', PAUL, 'CONFIDENTIAL_READ')
const olga = reader('Olga, an administrator', OLGA, 'CONFIDENTIAL_READ')
const carlaPlans = reader('Carla, who plans without seeing', carla, 'CONFIDENTIAL_READ')
const READERS = [
  annOfHerself,
  benOfHimself,
  paulPlans,
  olga,
  carlaPlans,
  reader('Ann, of others', ANN, 'PUBLIC_READ', 'CONFIDENTIAL_READ'),
  reader('Paul, of himself and in public', PAUL, 'PUBLIC_READ', 'ME_READ'),
  reader('Vera, who views people', VERA, 'PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ'),
]

const entries: number[] = []
async function idsOf(kind: ChangeKind, person: Person): Promise<number[]> {
  if (kind === 'attendance') return [event.id]
  if (kind === 'own_waiting_list') return entries
  if (kind === 'own_attendance') return [place, otherPlace]
  if (kind === 'own_exchanges' || kind === 'own_inquiries' || kind === 'availability') return [person.id]
  return [shift, second, third]
}

/** What the reader can read of these kinds now. */
async function readAll({ caller, person }: Reader): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const kind of KINDS)
    for (const id of await idsOf(kind, person)) {
      const { status, text } = await caller.get(ADDRESSES[kind][0]!.replace('{id}', String(id)), { unchecked: true })
      if (status === 200) found.set(`${kind} ${id}`, text)
    }
  return found
}

type Known = Map<Reader, Map<string, string>>
/** What everybody reads since the last call of `learn`; undefined: something else has written meanwhile. */
let known: Known | undefined

async function readEverything(): Promise<Known> {
  const all: Known = new Map()
  for (const each of READERS) all.set(each, await readAll(each))
  return all
}

const isOfStaffing = ({ kind }: Entry) => (KINDS as readonly string[]).includes(kind)

async function follow({ caller }: Reader, after: string): Promise<Entry[]> {
  const { body } = await caller.get('/api/changes/', { query: { after, limit: 1000 } })
  return (body.results as Entry[]).filter(isOfStaffing)
}
const present = async (): Promise<string> => (await olga.caller.get('/api/changes/')).body.next

const lines = (learned: Entry[]) => learned.map(({ kind, id, what }) => `${kind} ${id} ${what}`).sort()

/**
 * What each reader learns of a transaction. The feed must agree with the endpoints: whatever reads differently afterwards is announced,
 * and whatever is announced can be read, or is gone. `withOthers`: a kind whose records also change with participations.
 */
async function learn(work: (tx: Tx) => Promise<unknown>, withOthers?: ChangeKind): Promise<Record<string, string[]>> {
  const after = await present()
  const before = known ?? (await readEverything())
  known = new Map()
  await change(work)
  const all: Record<string, string[]> = {}
  for (const each of READERS) {
    const learned = await follow(each, after)
    const now = await readAll(each)
    known.set(each, now)
    for (const key of new Set([...before.get(each)!.keys(), ...now.keys()])) {
      if (before.get(each)!.get(key) === now.get(key) || key.split(' ')[0] === withOthers) continue
      assert.ok(
        learned.some(({ kind, id }) => key === `${kind} ${id}`),
        `${each.name} is not told of ${key}`,
      )
    }
    for (const { kind, id, what } of learned)
      assert.equal(now.has(`${kind} ${id}`), what !== 'gone', `${each.name} is told of ${kind} ${id}: ${what}`)
    if (learned.length) all[each.name] = lines(learned)
  }
  return all
}

const byPlanners = (kind: ChangeKind, id: number, ofSeen = false) =>
  Object.fromEntries([paulPlans, olga, ...(ofSeen ? [] : [carlaPlans])].map(({ name }) => [name, [`${kind} ${id} updated`]]))

describe('waiting lists', () => {
  const wait = (tx: Tx, user_id: number, minutes: number) =>
    tx
      .insertInto('waiting_entry')
      .values({ shift_id: third, user_id, since: new Date(NOW.getTime() - 3_600_000 + minutes * 60_000) })
      .returning('id')
      .executeTakeFirstOrThrow()
      .then(({ id }) => entries.push(id))
  const update = (values: Record<string, unknown>) => (tx: Tx) =>
    tx.updateTable('waiting_entry').set(values).where('id', '=', entries[0]!).execute()

  test('are announced to those who plan, and own entries to their people', async () => {
    const forPlanners = byPlanners('waiting_list', third, true)
    assert.deepEqual(await learn((tx) => wait(tx, ANN.id, 0)), {
      ...forPlanners,
      [annOfHerself.name]: [`own_waiting_list ${entries[0]} created`],
    })
    await learn((tx) => wait(tx, BEN.id, 1))
    assert.deepEqual(await learn(update({ passed_over: 'not_available' })), forPlanners)
    assert.deepEqual(await learn(update({ state: 'offered', offered_at: NOW, offered_until: inOneHour })), {
      ...forPlanners,
      [annOfHerself.name]: [`own_waiting_list ${entries[0]} updated`],
    })
    assert.deepEqual(await learn(update({ reason: 'Known from last year' })), {}, 'no part of the records')
  })

  test('tell those behind an entry that ends that they have moved up', async () => {
    const ended = {
      ...byPlanners('waiting_list', third, true),
      [annOfHerself.name]: [`own_waiting_list ${entries[0]} updated`],
      [benOfHimself.name]: [`own_waiting_list ${entries[1]} updated`],
    }
    assert.deepEqual(await learn(update({ state: 'withdrawn' })), ended)
    assert.deepEqual(await learn(update({ state: 'waiting' })), ended, 'and back')
    assert.deepEqual(await learn((tx) => tx.deleteFrom('waiting_entry').where('id', '=', entries[0]!).execute()), {
      ...ended,
      [annOfHerself.name]: [`own_waiting_list ${entries[0]} gone`],
    })
  })

  test('change with their mode, and not with what jobs note about them', async () => {
    const insert = (mode: string) => (tx: Tx) =>
      tx.insertInto('waiting_line').values({ shift_id: third, mode, is_due: true }).execute()
    const set = (values: Record<string, unknown>) => (tx: Tx) => tx.updateTable('waiting_line').set(values).execute()
    assert.deepEqual(await learn(insert('automatic')), {})
    assert.deepEqual(await learn(set({ is_due: false })), {})
    assert.deepEqual(await learn(set({ mode: 'manual' })), byPlanners('waiting_list', third, true))
    assert.deepEqual(await learn((tx) => tx.deleteFrom('waiting_line').execute()), byPlanners('waiting_list', third, true))
    assert.deepEqual(await learn(insert('closed')), byPlanners('waiting_list', third, true))
  })
})

describe('stand-ins and swaps', () => {
  const ann = [`own_exchanges ${ANN.id} updated`]
  const ben = [`own_exchanges ${BEN.id} updated`]
  const forPlanners = byPlanners('exchanges', shift, true)
  let search = 0

  test('a search is announced to planners and the person, and to others when they are asked', async () => {
    const insert = async (tx: Tx) => {
      const values = { shift_id: shift, user_id: ANN.id, participation_id: place, message: 'ill', created_at: NOW }
      search = (await tx.insertInto('stand_in').values(values).returning('id').executeTakeFirstOrThrow()).id
    }
    assert.deepEqual(await learn(insert), { ...forPlanners, [annOfHerself.name]: ann })
    const later = (tx: Tx) =>
      tx.insertInto('stand_in_person').values({ stand_in_id: search, user_id: BEN.id, asked_at: null }).execute()
    assert.deepEqual(await learn(later), { ...forPlanners, [annOfHerself.name]: ann }, 'Ben is to be asked later')
    const ask = (tx: Tx) => tx.updateTable('stand_in_person').set({ asked_at: NOW }).where('user_id', '=', BEN.id).execute()
    assert.deepEqual(await learn(ask), { ...forPlanners, [annOfHerself.name]: ann, [benOfHimself.name]: ben })
    const nextWave = (tx: Tx) => tx.updateTable('stand_in').set({ next_at: inOneHour }).where('id', '=', search).execute()
    assert.deepEqual(await learn(nextWave), { [annOfHerself.name]: ann })
  })

  test('a search that ends is announced to who was asked and has not answered', async () => {
    const set = (values: Record<string, unknown>) => (tx: Tx) =>
      tx.updateTable('stand_in').set(values).where('id', '=', search).execute()
    const everybody = { ...forPlanners, [annOfHerself.name]: ann, [benOfHimself.name]: ben }
    assert.deepEqual(await learn(set({ state: 'cancelled', next_at: null })), everybody)
    assert.deepEqual(await learn(set({ state: 'open' })), everybody)
    const answer = (tx: Tx) => tx.updateTable('stand_in_person').set({ answer: 'no' }).where('user_id', '=', BEN.id).execute()
    assert.deepEqual(await learn(answer), { [benOfHimself.name]: ben })
    assert.deepEqual(await learn(set({ state: 'cancelled' })), { ...forPlanners, [annOfHerself.name]: ann })
    const remove = (tx: Tx) => tx.deleteFrom('stand_in').where('id', '=', search).execute()
    const learned = await learn(remove)
    assert.deepEqual(learned[paulPlans.name], [`exchanges ${shift} updated`])
  })

  test('a swap is announced to both people, and to the planners of both shifts', async () => {
    const insert = (tx: Tx) =>
      tx
        .insertInto('swap')
        .values({
          user_id: ANN.id,
          shift_id: shift,
          participation_id: place,
          other_id: BEN.id,
          other_shift_id: second,
          other_participation_id: otherPlace,
          created_at: NOW,
          expires_at: inOneHour,
        })
        .execute()
    const set = (values: Record<string, unknown>) => (tx: Tx) => tx.updateTable('swap').set(values).execute()
    const planners = [paulPlans, olga].map(({ name }) => [
      name,
      [`exchanges ${shift} updated`, `exchanges ${second} updated`].sort(),
    ])
    const everybody = { ...Object.fromEntries(planners), [annOfHerself.name]: ann, [benOfHimself.name]: ben }
    assert.deepEqual(await learn(insert), everybody)
    assert.deepEqual(await learn(set({ state: 'accepted', answered_at: NOW })), everybody)
    assert.deepEqual(await learn(set({ told_at: NOW })), {})
    assert.deepEqual(await learn((tx) => tx.deleteFrom('swap').execute()), everybody)
  })
})

describe('forecasts', () => {
  const forPlanners = byPlanners('forecast', second)
  const values = { usual_percent: 80, low: 5, middle: 6, high: 7, stays_short: true, compared_with: 9, made_at: NOW }

  test('are announced to planners when they are made, change and end', async () => {
    const insert = (tx: Tx) =>
      tx
        .insertInto('shift_forecast')
        .values({ shift_id: second, ...values })
        .execute()
    assert.deepEqual(await learn(insert), forPlanners)
    const update = (tx: Tx) => tx.updateTable('shift_forecast').set({ low: 4 }).where('shift_id', '=', second).execute()
    assert.deepEqual(await learn(update), forPlanners)
    const remove = (tx: Tx) => tx.deleteFrom('shift_forecast').execute()
    assert.deepEqual(await learn(remove), forPlanners)
  })
})

test('forecasts, inquiries and attendance of an event that is not published are announced to nobody', async () => {
  const draft = await world.addEvent({ draft: true, responsible: [PAUL], shifts: [{}] })
  const published = await world.addEvent({ responsible: [PAUL], shifts: [{}] })
  const figures = { usual_percent: 80, low: 5, middle: 6, high: 7, stays_short: true, compared_with: 9, made_at: NOW }
  const write = async ({ id, shifts }: typeof draft) => {
    const [shift_id] = shifts as [number]
    const participation_id = await world.addParticipation({ who: ANN, shift: shift_id, state: 1 })
    known = undefined
    const after = await present()
    await change(async (tx) => {
      await tx
        .insertInto('shift_forecast')
        .values({ shift_id, ...figures })
        .execute()
      await tx
        .insertInto('inquiry')
        .values({ shift_id, created_by_id: PAUL.id, created_at: NOW, wanted: 2, was_short: true })
        .execute()
      await tx.insertInto('attendance').values({ participation_id, arrived_at: NOW }).execute()
    })
    const told = await follow(paulPlans, after)
    await world.db.write.deleteFrom('event').where('id', '=', id).execute()
    return [...new Set(told.map(({ kind }) => kind))].sort()
  }
  assert.deepEqual(await write(published), ['attendance', 'forecast', 'inquiries'])
  assert.deepEqual(await write(draft), [])
  known = undefined
})

describe('inquiries', () => {
  const ann = [`own_inquiries ${ANN.id} updated`]
  const ben = [`own_inquiries ${BEN.id} updated`]
  const forPlanners = byPlanners('inquiries', third)
  let inquiry = 0

  test('are announced to planners, and to people when they are asked', async () => {
    const insert = async (tx: Tx) => {
      const values = { shift_id: third, created_by_id: PAUL.id, created_at: NOW, wanted: 2, was_short: true }
      inquiry = (await tx.insertInto('inquiry').values(values).returning('id').executeTakeFirstOrThrow()).id
      const times = { asked_at: NOW, expires_at: inOneHour }
      await tx
        .insertInto('inquiry_person')
        .values([
          { inquiry_id: inquiry, wave: 1, ...times, user_id: ANN.id, position: 0 },
          { inquiry_id: inquiry, user_id: BEN.id, position: 1 },
        ])
        .execute()
    }
    assert.deepEqual(await learn(insert), { ...forPlanners, [annOfHerself.name]: ann })
    const ask = (tx: Tx) =>
      tx
        .updateTable('inquiry_person')
        .set({ asked_at: NOW, expires_at: inOneHour, wave: 2 })
        .where('user_id', '=', BEN.id)
        .execute()
    assert.deepEqual(await learn(ask), { ...forPlanners, [benOfHimself.name]: ben })
  })

  test('are announced with answers, and when they end to who has not answered', async () => {
    const answer = (tx: Tx) =>
      tx
        .updateTable('inquiry_person')
        .set({ answer: 'cannot', answered_at: NOW, reason: 'Ill' })
        .where('user_id', '=', ANN.id)
        .execute()
    assert.deepEqual(await learn(answer), { ...forPlanners, [annOfHerself.name]: ann })
    const end = (tx: Tx) => tx.updateTable('inquiry').set({ ended_at: NOW, end_reason: 'stopped' }).execute()
    assert.deepEqual(await learn(end), { ...forPlanners, [benOfHimself.name]: ben })
    const learned = await learn((tx) => tx.deleteFrom('inquiry').where('id', '=', inquiry).execute())
    assert.deepEqual(learned[paulPlans.name], [`inquiries ${third} updated`])
  })
})

describe('attendance', () => {
  const everybody = {
    ...byPlanners('attendance', event.id),
    [annOfHerself.name]: [`own_attendance ${place} updated`],
  }
  const set = (values: Record<string, unknown>) => (tx: Tx) =>
    tx.updateTable('attendance').set(values).where('participation_id', '=', place).execute()

  test('is announced to planners and the person', async () => {
    assert.deepEqual(
      await learn((tx) => tx.insertInto('attendance').values({ participation_id: place, arrived_at: NOW }).execute()),
      everybody,
    )
    assert.deepEqual(await learn(set({ left_at: inOneHour })), everybody)
    assert.deepEqual(await learn(set({ arrived_at: NOW })), {}, 'the same once more')
    assert.deepEqual(await learn((tx) => tx.deleteFrom('attendance').execute()), everybody)
  })
})

describe('availability', () => {
  const ann = { [annOfHerself.name]: [`availability ${ANN.id} updated`] }
  for (const [what, table, values] of [
    ['weekly times', 'weekly_time', { kind: 'can', weekday: 1, from_minute: 60, until_minute: 120 }],
    ['days', 'day_period', { kind: 'cannot', first_day: '2031-06-01', last_day: '2031-06-02' }],
  ] as const)
    test(`is announced to the person only, with ${what}`, async () => {
      const insert = (tx: Tx) =>
        tx
          .insertInto(table)
          .values({ user_id: ANN.id, ...values } as never)
          .execute()
      assert.deepEqual(await learn(insert), ann)
      assert.deepEqual(await learn((tx) => tx.deleteFrom(table).execute()), ann)
    })
})

describe('companions', () => {
  test('are announced to the person who brings them', async () => {
    const ann = { [annOfHerself.name]: [`companions ${shift} updated`] }
    let eva = 0
    const bring = async (tx: Tx) => {
      eva = await addParticipation(tx, { who: { placeholder: 'Eva' }, shift, state: 1 }, NOW)
      await tx.updateTable('participation').set({ brought_by_id: place }).where('id', '=', eva).execute()
    }
    const set = (values: Record<string, unknown>) => (tx: Tx) =>
      tx.updateTable('participation').set(values).where('id', '=', eva).execute()
    assert.deepEqual(await learn(bring, 'attendance'), ann)
    assert.deepEqual(await learn(set({ placeholder_name: 'Mia' }), 'attendance'), ann)
    assert.deepEqual(await learn((tx) => tx.deleteFrom('participation').where('id', '=', eva).execute(), 'attendance'), ann)
  })

  test('of two people in one shift are announced to each of them', async () => {
    const bens = await world.addParticipation({ who: BEN, shift, state: 1 })
    known = undefined
    const added: number[] = []
    const bring = async (tx: Tx) => {
      for (const [name, by] of [
        ['Ida', place],
        ['Max', bens],
      ] as const) {
        const id = await addParticipation(tx, { who: { placeholder: name }, shift, state: 1 }, NOW)
        await tx.updateTable('participation').set({ brought_by_id: by }).where('id', '=', id).execute()
        added.push(id)
      }
    }
    const own = [`companions ${shift} updated`]
    assert.deepEqual(await learn(bring, 'attendance'), { [annOfHerself.name]: own, [benOfHimself.name]: own })
    await change((tx) =>
      tx
        .deleteFrom('participation')
        .where('id', 'in', [...added, bens])
        .execute(),
    )
  })
})

describe('the cause', () => {
  test('is the action of planners and people, and own entries tell nothing about others', async () => {
    const after = await present()
    await world.as(ANN, 'ME_WRITE').patch('/api/users/me/availability/', { weekly: [], days: [] }, '*')
    const days = [{ kind: 'can', first: '2031-06-01', last: '2031-06-02' }]
    const { status } = await world.as(ANN, 'ME_WRITE').patch('/api/users/me/availability/', { days }, '*')
    assert.equal(status, 200)
    const mark = { participation: place, mark: 'arrived', at: NOW.toISOString() }
    const marked = await world.as(PAUL, 'CONFIDENTIAL_WRITE').post(`/api/events/${event.id}/attendance/`, { marks: [mark] })
    assert.equal(marked.status, 200)
    const learned = await follow(annOfHerself, after)
    assert.deepEqual(
      learned.map(({ kind, cause }) => [kind, cause]),
      [
        ['availability', 'user.availability_changed'],
        ['own_attendance', 'participation.attendance_marked'],
      ],
    )
    assert.deepEqual(
      (await follow(paulPlans, after)).map(({ kind, cause }) => [kind, cause]),
      [['attendance', null]],
    )
  })

  test('of a waiting list is what happened to it', async () => {
    await change((tx) => tx.deleteFrom('waiting_line').execute())
    await change((tx) => tx.deleteFrom('waiting_entry').execute())
    const times = { start: '2031-05-20T08:00:00Z', end: '2031-05-20T14:00:00Z' }
    const full = { ...flow, ...times, configuration: { maximum_number_of_participants: 1 } }
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [full] })
    const path = `/api/shifts/${shifts[0]}`
    assert.equal((await world.as(ANN, 'ME_WRITE').post(`${path}/signup/`, {})).status, 201)
    const after = await present()
    assert.equal((await world.as(BEN, 'ME_WRITE').post(`${path}/waiting-list/join/`)).status, 201)
    assert.deepEqual(
      (await follow(paulPlans, after)).map(({ kind, id, cause }) => [kind, id, cause]),
      [['waiting_list', shifts[0], 'shift.line_joined']],
    )
    assert.deepEqual(
      (await follow(benOfHimself, after)).map(({ kind, what, cause }) => [kind, what, cause]),
      [['own_waiting_list', 'created', null]],
    )
  })
})

describe('whoever becomes responsible', () => {
  test('is told to read again, also if the event has no participations', async () => {
    const bare = await change((tx) => addEvent(tx, { seenBy: [HELPERS, PLANNERS], shifts: [{}] }, NOW))
    const inquiry = { shift_id: bare.shifts[0]!, created_at: NOW, wanted: 1, was_short: true }
    await change((tx) => tx.insertInto('inquiry').values(inquiry).execute())
    const after = await present()
    assert.deepEqual(await follow(paulPlans, 'start').then((all) => all.filter(({ id }) => id === bare.shifts[0])), [])
    await change((tx) => grantEvent(tx, bare.id, PAUL, 'change'))
    const { body } = await paulPlans.caller.get('/api/changes/', { query: { after } })
    assert.deepEqual(
      (body.results as Entry[]).map(({ kind, id }) => [kind, id]),
      [['access', PAUL.id]],
    )
  })

  test('sees entries from before a change of the own access only if the lists allow it now', async () => {
    const after = await present()
    await change((tx) => tx.insertInto('attendance').values({ participation_id: otherPlace, no_show: true }).execute())
    await change((tx) =>
      tx.insertInto('inquiry').values({ shift_id: third, created_at: NOW, wanted: 1, was_short: true }).execute(),
    )
    await change((tx) => tx.insertInto('waiting_entry').values({ shift_id: second, user_id: ANN.id, since: NOW }).execute())
    assert.deepEqual(lines(await follow(paulPlans, after)), [
      `attendance ${event.id} updated`,
      `inquiries ${third} updated`,
      `waiting_list ${second} updated`,
    ])
    const revoke = (tx: Tx) =>
      tx.deleteFrom('event_user_grant').where('event_id', '=', event.id).where('user_id', '=', PAUL.id).execute()
    await change(revoke)
    assert.deepEqual(await follow(paulPlans, after), [])
    assert.deepEqual((await follow(olga, after)).length, 3)
  })
})
