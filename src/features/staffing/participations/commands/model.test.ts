import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { IndividualTimes } from '#features/staffing/eligibility/rules/individual-times.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { transact } from '#platform/db/transaction.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { addShift } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { openWorld } from '#test/support/world.ts'
import { GUARD } from './locks.ts'
import { customize, decline, type MoveOutcome, signUp } from './sign-up.ts'

/** Higher numbers find more and take longer. */
const SEQUENCES = chooseSize({ usual: 10, full: 50 })
const MOVES = 20

const PEOPLE = [ANN, BEN, OLGA]
const NAMES = ['asked', 'instant', 'teams', 'coupled'] as const
type Name = (typeof NAMES)[number]
/** Hours of one day; the first two overlap. */
const HOURS: Record<Name, [number, number]> = { asked: [8, 10], instant: [9, 11], teams: [13, 14], coupled: [15, 16] }
const minute = (at: number) => new Date(Date.UTC(2031, 4, 4, 0, at))

/** Minutes after midnight; null for the time of the shift. */
type Entry = { state: number; from: number | null; until: number | null; team: string | undefined; version: number }
type Times = { from: number | null; until: number | null }
type Verdict = 'refused' | { state: number; hasChanged: boolean; was: number | null }

/** A minimal model of the rules of four shifts, without locks, queries and matching. */
class Model {
  readonly entries: Record<Name, Map<number, Entry>> = {
    asked: new Map(),
    instant: new Map(),
    teams: new Map(),
    coupled: new Map(),
  }
  most = 2

  span(name: Name, { from, until }: Times): [number, number] {
    const [start, end] = HOURS[name]
    return [from ?? start * 60, until ?? end * 60]
  }
  isBusy(who: number, name: Name, [start, end]: [number, number]): boolean {
    return NAMES.some((other) => {
      const entry = this.entries[other].get(who)
      // A coupled shift does not conflict with its leader.
      if (other === name || entry?.state !== 1 || (name === 'asked' && other === 'coupled')) return false
      const [from, until] = this.span(other, entry)
      return from < end && start < until
    })
  }
  confirmed(name: Name, team?: string, without?: number): number {
    return [...this.entries[name]].filter(
      ([id, one]) => id !== without && one.state === 1 && (team === undefined || one.team === team),
    ).length
  }
  write(name: Name, who: number, next: Omit<Entry, 'version'>): Verdict {
    const before = this.entries[name].get(who)
    const isSame =
      before &&
      [before.state === next.state, before.from === next.from, before.until === next.until, before.team === next.team].every(
        Boolean,
      )
    if (isSame) return { state: next.state, hasChanged: false, was: before.state }
    this.entries[name].set(who, { ...next, version: (before?.version ?? 0) + 1 })
    if (name === 'asked' && before?.state !== next.state) {
      const mirrored = this.entries.coupled.get(who) ?? { from: null, until: null, team: undefined }
      this.write('coupled', who, { ...mirrored, state: next.state })
    }
    return { state: next.state, hasChanged: true, was: before?.state ?? null }
  }
  takePart(move: 'sign-up' | 'customize', who: number, name: Name, times: Times | undefined): Verdict {
    const before = this.entries[name].get(who)
    const isIn = before?.state === 0 || before?.state === 1
    if (name === 'coupled' || before?.state === 3 || isIn !== (move === 'customize')) return 'refused'
    if (move === 'customize' && name === 'asked' && before?.state === 1) return 'refused'
    const kept = before ?? { from: null, until: null }
    const chosen = times ?? (move === 'customize' ? kept : undefined)
    const spans = chosen ? [this.span(name, chosen)] : [this.span(name, { from: null, until: null }), this.span(name, kept)]
    if (spans.some((span) => this.isBusy(who, name, span))) return 'refused'
    const isConfirmed = before?.state === 1
    if (name === 'instant' && !isConfirmed && this.confirmed('instant') >= this.most) return 'refused'
    const free = ['t1', 't2'].filter((team) => this.confirmed('teams', team, who) < 1 || (isConfirmed && before.team === team))
    if (name === 'teams' && !free.length) return 'refused'
    const team = name !== 'teams' ? undefined : free.includes(before?.team ?? '') ? before?.team : free[0]
    const state = move === 'customize' ? before!.state : name === 'asked' ? 0 : 1
    return this.write(name, who, { state, team, from: (chosen ?? kept).from, until: (chosen ?? kept).until })
  }
  decline(who: number, name: Name): Verdict {
    const before = this.entries[name].get(who)
    if (name === 'coupled' || before?.state === 3 || before?.state === 2) return 'refused'
    if (name === 'asked' && before?.state === 1) return 'refused'
    return this.write(name, who, { ...(before ?? { from: null, until: null, team: undefined }), state: 2 })
  }
  dispose(who: number, name: Name, state: number, team: string): Verdict {
    const before = this.entries[name].get(who) ?? { from: null, until: null, team: undefined }
    return this.write(name, who, { ...before, state, team: name === 'teams' ? team : undefined })
  }
  statistics(name: Name) {
    const entries = [...this.entries[name].values()]
    const counts = { requested_count: entries.filter(({ state }) => state === 0).length, confirmed_count: this.confirmed(name) }
    const bounds = (confirmed: number, min: number | null, max: number | null) => ({
      missing: Math.max((min ?? 0) - confirmed, 0),
      free: max === null ? null : Math.max(max - confirmed, 0),
      min_count: min,
      max_count: max,
    })
    if (name !== 'teams') {
      const [min, max] = name === 'asked' ? [2, 3] : name === 'instant' ? [null, this.most] : [null, null]
      return { ...counts, ...bounds(counts.confirmed_count, min, max) }
    }
    const [one, two] = [bounds(this.confirmed(name, 't1'), 1, 1), bounds(this.confirmed(name, 't2'), 0, 1)]
    return { ...counts, missing: one.missing + two.missing, free: one.free! + two.free!, min_count: 1, max_count: 2 }
  }
}

const half = (name: Name): number => HOURS[name][0] * 60 + 30
const someMove = fc
  .record({
    move: fc.constantFrom('sign-up', 'sign-up', 'decline', 'customize', 'dispose', 'capacity'),
    who: fc.nat({ max: PEOPLE.length - 1 }),
    name: fc.constantFrom<Name>(...NAMES),
    times: fc.constantFrom('usual', 'later', 'earlier', undefined),
    to: fc.constantFrom(0, 1, 1, 2, 3),
    team: fc.constantFrom('t1', 't2'),
    most: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ times, ...one }) => {
    const part: Record<string, Times> = {
      usual: { from: null, until: null },
      later: { from: half(one.name), until: null },
      earlier: { from: null, until: half(one.name) },
    }
    return { ...one, times: times && part[times] }
  })
type Step = typeof someMove extends fc.Arbitrary<infer T> ? T : never

describe('random moves of several people', async () => {
  const world = await openWorld()
  const paul = contextAs(world, PAUL)

  async function addEvent() {
    await world.db.write.deleteFrom('participation').execute()
    const times = (name: Name) => ({
      start: minute(HOURS[name][0] * 60).toISOString(),
      end: minute(HOURS[name][1] * 60).toISOString(),
    })
    const leaves = { user_can_decline_confirmed: true }
    const teams = ['t1', 't2'].map((uuid, i) => ({ uuid, title: uuid, qualification: null, min_count: 1 - i, max_count: 1 }))
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        { ...times('asked'), configuration: { minimum_number_of_participants: 2, maximum_number_of_participants: 3 } },
        {
          ...times('instant'),
          flow: 'instant_confirmation',
          flowConfiguration: leaves,
          configuration: { maximum_number_of_participants: 2 },
        },
        {
          ...times('teams'),
          flow: 'instant_confirmation',
          flowConfiguration: leaves,
          structure: 'named_teams',
          configuration: { teams },
        },
      ],
    })
    const flowConfiguration = { leader_shift_id: shifts[0] }
    const coupled = await addShift(world.db.write, id, { ...times('coupled'), flow: 'coupled', flowConfiguration })
    const ids = { asked: shifts[0]!, instant: shifts[1]!, teams: shifts[2]!, coupled }
    await transact(world.db.write, (tx) => refreshStatistics(tx, Object.values(ids)))
    return { id, ids }
  }

  async function setCapacity(eventId: number, shiftId: number, most: number): Promise<void> {
    await transact(world.db.write, async (tx) => {
      await GUARD.lockEvent(tx, eventId)
      const configuration = JSON.stringify({ maximum_number_of_participants: most })
      await tx.updateTable('shift').set({ structure_configuration: configuration }).where('id', '=', shiftId).execute()
      await refreshStatistics(tx, [shiftId])
    })
  }

  async function act(step: Step, shiftId: number): Promise<Verdict> {
    const person = PEOPLE[step.who]!
    const { times } = step
    const chosen: IndividualTimes | undefined = times && {
      start: times.from === null ? null : minute(times.from),
      end: times.until === null ? null : minute(times.until),
    }
    const details = chosen ? { times: chosen } : undefined
    const codeOf = (outcome: MoveOutcome): Verdict =>
      outcome.ok ? { state: outcome.to, hasChanged: outcome.hasChanged, was: outcome.from ?? null } : 'refused'
    if (step.move === 'decline') return codeOf(await decline(contextAs(world, person), { shiftId }))
    if (step.move === 'customize') return codeOf(await customize(contextAs(world, person), { shiftId, details }))
    if (step.move === 'sign-up') return codeOf(await signUp(contextAs(world, person), { shiftId, details }))
    const to = step.to as 0 | 1 | 2 | 3
    const place = step.name === 'teams' ? step.team : undefined
    const outcome = await moveOnBoard(paul, { shiftId, who: { kind: 'local', id: person.id }, to, place })
    return outcome.ok ? { state: outcome.to, hasChanged: outcome.hasChanged, was: outcome.from ?? null } : 'refused'
  }

  function expectedOf(model: Model, { move, who, name, times, to, team }: Step): Verdict {
    const id = PEOPLE[who]!.id
    if (move === 'decline') return model.decline(id, name)
    if (move === 'dispose') return model.dispose(id, name, to, team)
    return model.takePart(move as 'sign-up' | 'customize', id, name, times)
  }

  async function stored(eventId: number, ids: Record<Name, number>) {
    const { rows } = await sql<{
      shift_id: number
      user_id: number
      state: number
      from: Date | null
      until: Date | null
      team: string | null
      version: number
    }>`
      select shift_id, user_id, state, individual_start_time as "from", individual_end_time as until, version,
        coalesce(structure_data ->> 'dispatched_team_uuid', structure_data ->> 'preferred_team_uuid') as team
      from participation where event_id = ${eventId} order by shift_id, user_id`.execute(world.db.read)
    const entries = rows.map(({ shift_id, user_id, state, from, until, team, version }) => [
      NAMES.find((name) => ids[name] === shift_id),
      user_id,
      { state, from: minutesOf(from), until: minutesOf(until), team: team ?? undefined, version },
    ])
    const journal = await world.db.read
      .selectFrom('journal')
      .select(['kind', 'changes'])
      .where('event_id', '=', eventId)
      .orderBy('id')
      .execute()
    return { entries, journal: journal.map(({ kind, changes }) => [kind, (changes as { state?: unknown }).state]) }
  }
  const minutesOf = (at: Date | null) => (at === null ? null : (at.getTime() - minute(0).getTime()) / 60_000)

  /** Entries and journal of the event, as the API shows them. */
  async function shown(eventId: number, ids: Record<Name, number>) {
    const olga = world.withSession(OLGA)
    const { body: event } = await olga.get(`/api/events/${eventId}/`)
    const { body: list } = await olga.get(`/api/participations-userinfo/?event=${eventId}&limit=100`)
    const shifts = (event as { shifts: { id: number; signup_stats: unknown }[] }).shifts
    return {
      statistics: NAMES.map((name) => shifts.find(({ id }) => id === ids[name])!.signup_stats),
      states: (list as { results: { shift: number; user: number; state: { value: number } }[] }).results
        .map(({ shift, user, state }) => `${NAMES.find((name) => ids[name] === shift)} ${user} ${state.value}`)
        .sort(),
    }
  }

  const KINDS: Record<string, string> = { 'sign-up': 'signed_up', decline: 'declined', customize: 'customized', dispose: 'moved' }

  test('states, times, statistics, versions, the journal and the API agree with the rules after every step', async () => {
    const sequences = fc.array(someMove, { minLength: MOVES, maxLength: MOVES })
    await fc.assert(
      fc.asyncProperty(sequences, async (steps) => {
        const { id, ids } = await addEvent()
        const model = new Model()
        const journal: unknown[] = []
        for (const step of steps) {
          if (step.move === 'capacity') {
            await setCapacity(id, ids.instant, step.most)
            model.most = step.most
          } else {
            const expected = expectedOf(model, step)
            assert.deepEqual(await act(step, ids[step.name]), expected)
            if (expected !== 'refused' && expected.hasChanged) {
              const { was, state } = expected
              journal.push([`participation.${KINDS[step.move]}`, was === state ? undefined : [was, state]])
            }
          }
          const entries = NAMES.flatMap((name) => [...model.entries[name]].sort(([a], [b]) => a - b).map((one) => [name, ...one]))
          const found = await stored(id, ids)
          assert.deepEqual(found.entries, entries)
          assert.deepEqual(found.journal, journal)
          assert.deepEqual(await shown(id, ids), {
            statistics: NAMES.map((name) => model.statistics(name)),
            states: entries.map(([name, who, entry]) => `${name} ${who} ${(entry as Entry).state}`).sort(),
          })
        }
      }),
      { numRuns: SEQUENCES },
    )
  })
})
