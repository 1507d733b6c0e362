import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { makeRandom, type Random } from '#platform/sample-data/random.ts'
import type { Caller } from '#test/support/api-client.ts'
import { addEvent, addParticipation, addShift, grantEvent } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { sequenceChanges } from './commands/sequence.ts'

const STEPS = 60
/** Before the random steps, so that people see something of each other. */
const FIRST_STEPS = [...Array(3).fill('add an event'), ...Array(12).fill('add a participation')]
const SEEDS = chooseSize({ usual: [1], full: [1, 2, 3, 4] })
const PEOPLE = [ANN, BEN, PAUL, VERA]
const GRANTEES = [HELPERS, PLANNERS, ...PEOPLE]

const KINDS = ['event', 'shift', 'participation']
const LISTS = ['/api/participations/', '/api/participations-userinfo/', '/api/users/me/participations/']

type Records = { events: Set<number>; shifts: Set<number>; participations: Map<number, Person | undefined> }
type Step = (tx: Tx, random: Random, records: Records, types: number[]) => Promise<unknown>

const anyOf = <T>(random: Random, from: Iterable<T>): T | undefined => random.pick([...from])

const STEPS_OF: Record<string, Step> = {
  'add an event': async (tx, random, { events, shifts }, types) => {
    const wish = {
      type: random.pick(types),
      seenBy: GRANTEES.filter(() => random.chance(0.6)),
      responsible: GRANTEES.filter(() => random.chance(0.1)),
      draft: random.chance(0.2),
      shifts: [{}, {}],
    }
    const made = await addEvent(tx, wish, NOW)
    events.add(made.id)
    for (const id of made.shifts) shifts.add(id)
  },
  'change an event': async (tx, random, { events }, types) => {
    const values = random.pick([
      { title: `Title ${random.between(1, 1000)}` },
      { type_id: random.pick(types) },
      { type_id: random.pick(types) },
      { type_id: random.pick(types) },
      { active: true },
      { active: false },
      { deleted_at: NOW },
      { deleted_at: null },
      { cancelled_at: NOW, cancellation_reason: 'storm' },
      { cancelled_at: null, cancellation_reason: null },
    ])
    await tx.updateTable('event').set(values).where('id', '=', anyOf(random, events)!).execute()
  },
  'show or hide participants of a type': async (tx, random, _records, types) => {
    const values = { show_participant_data: random.between(0, 3) }
    await tx.updateTable('event_type').set(values).where('id', '=', random.pick(types)).execute()
  },
  'grant an event': async (tx, random, { events }) => {
    const id = anyOf(random, events)!
    const to = random.pick(GRANTEES)
    const permission = random.pick(['view', 'change'] as const)
    await revoke(tx, id, to, permission)
    await grantEvent(tx, id, to, permission)
  },
  'revoke a grant': async (tx, random, { events }) => {
    for (const permission of ['view', 'change'] as const)
      await revoke(tx, anyOf(random, events)!, random.pick(GRANTEES), permission)
  },
  'add a shift': async (tx, random, { events, shifts }) => {
    shifts.add(await addShift(tx, anyOf(random, events)!, {}))
  },
  'change a shift': async (tx, random, { shifts }) => {
    const label = `Label ${random.between(1, 1000)}`
    await tx.updateTable('shift').set({ label }).where('id', '=', anyOf(random, shifts)!).execute()
  },
  'add a participation': async (tx, random, { shifts, participations }) => {
    const shift = anyOf(random, shifts)!
    const person = random.chance(0.85) ? random.pick(PEOPLE) : undefined
    const taken = await tx
      .selectFrom('participation')
      .select('id')
      .where('shift_id', '=', shift)
      .where('user_id', '=', person?.id ?? 0)
      .execute()
    if (taken.length) return
    const state = random.pick([0, 1, 2, 3, 4] as const)
    participations.set(await addParticipation(tx, { who: person ?? { placeholder: 'Somebody' }, shift, state }, NOW), person)
  },
  'move a participation': async (tx, random, { participations }) => {
    const id = anyOf(random, participations.keys())
    if (id === undefined) return
    await tx
      .updateTable('participation')
      .set({ state: random.between(0, 4) })
      .where('id', '=', id)
      .execute()
  },
  'delete a participation': async (tx, random, { participations }) => {
    const id = anyOf(random, participations.keys())
    if (id !== undefined) await tx.deleteFrom('participation').where('id', '=', id).execute()
  },
}

const revoke = (tx: Tx, id: number, { kind, id: to }: (typeof GRANTEES)[number], permission: 'view' | 'change') =>
  kind === 'person'
    ? tx
        .deleteFrom('event_user_grant')
        .where('event_id', '=', id)
        .where('user_id', '=', to)
        .where('permission', '=', permission)
        .execute()
    : tx
        .deleteFrom('event_group_grant')
        .where('event_id', '=', id)
        .where('group_id', '=', to)
        .where('permission', '=', permission)
        .execute()

type Entry = { kind: string; id: number; what: string }

/** A program that follows the feed, and reads its lists when it is told to. */
class Follower {
  readonly #caller: Caller
  readonly #held = new Set<string>()
  #cursor: string
  constructor(caller: Caller, cursor: string) {
    this.#caller = caller
    this.#cursor = cursor
  }

  async readLists(): Promise<string[]> {
    const found = new Set<string>()
    const note = async (kind: string, path: string) => {
      const { status, body } = await this.#caller.get(path, { query: { limit: 1000 }, unchecked: true })
      if (status === 200) for (const { id } of body.results) found.add(`${kind} ${id}`)
    }
    await note('event', '/api/events/')
    await note('shift', '/api/shifts/')
    for (const list of LISTS) await note('participation', list)
    return [...found].sort()
  }

  async follow(): Promise<string[]> {
    for (let hasMore = true; hasMore; ) {
      const { body } = await this.#caller.get('/api/changes/', { query: { after: this.#cursor, limit: 1000 } })
      this.#cursor = body.next
      hasMore = body.has_more
      for (const entry of body.results as Entry[]) await this.#apply(entry)
    }
    return [...this.#held].sort()
  }

  async #apply({ kind, id, what }: Entry): Promise<void> {
    if (kind === 'access') {
      this.#held.clear()
      for (const key of await this.readLists()) this.#held.add(key)
    } else if (KINDS.includes(kind)) {
      if (what === 'gone') this.#held.delete(`${kind} ${id}`)
      else this.#held.add(`${kind} ${id}`)
    }
  }
}

for (const seed of SEEDS)
  describe(`random changes with seed ${seed}`, async () => {
    const world = await openWorld()
    const random = makeRandom(seed)
    const types = [await world.addType({ showParticipantData: 0 }), await world.addType({ showParticipantData: 1 })]
    types.push(await world.addType({ showParticipantData: 2 }))
    const callers: [string, Caller][] = [
      ['Ann, who reads in public', world.as(ANN, 'PUBLIC_READ')],
      ['Ann, who reads everything', world.as(ANN, 'PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ')],
      ['Ben, who reads of himself', world.as(BEN, 'ME_READ')],
      ['Paul, a planner', world.as(PAUL, 'PUBLIC_READ', 'CONFIDENTIAL_READ')],
      ['Vera, who views people', world.as(VERA, 'PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ')],
      ['Olga, an administrator', world.as(OLGA, 'PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ')],
    ]

    test('a program that follows the feed holds what its lists contain, after every step', async () => {
      const { body: start } = await callers[0]![1].get('/api/changes/')
      const followers = callers.map(([name, caller]) => ({ name, follower: new Follower(caller, start.next) }))
      const records: Records = { events: new Set(), shifts: new Set(), participations: new Map() }
      for (let count = 0; count < STEPS; count++) {
        const names = count === 0 ? FIRST_STEPS : [random.pick(Object.keys(STEPS_OF))]
        await transact(world.db.write, async (tx) => {
          for (const name of names) await STEPS_OF[name]!(tx, random, records, types)
        })
        await sequenceChanges(world.db.write, NOW)
        for (const { name, follower } of followers)
          assert.deepEqual(
            await follower.follow(),
            await follower.readLists(),
            `${name}, after step ${count}: ${names.join(', ')}`,
          )
      }
    })
  })
