import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { makeActor } from '#platform/auth/actor.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type Candidate, type ProposalInput, propose } from '../rules/proposal.ts'
import { loadProposal } from './proposal.ts'
import { searchProposal } from './searching.ts'

const ZONE = 'Europe/Berlin'
const HOUR = 3_600_000

/** Shifts of four hours, two at a time, three places each; everybody may take all of them, with a limit of rest. */
function makeInput(shiftCount: number, peopleCount: number): ProposalInput {
  const start = Date.parse('2031-06-01T06:00:00Z')
  const shifts = Array.from({ length: shiftCount }, (_, n) => {
    const begin = start + Math.floor(n / 2) * 4 * HOUR
    return { id: n + 1, start: new Date(begin), end: new Date(begin + 4 * HOUR) }
  })
  const places = shifts.map(({ id }) => ({
    id: `${id}-a`,
    shiftId: id,
    count: 3,
    isRequired: true,
    label: { kind: 'none' } as unknown as ProposalInput['places'][number]['label'],
    place: null,
    needs: [[]],
  }))
  const chance = (shiftId: number) => ({
    obstacle: undefined,
    qualifiedFor: [`${shiftId}-a`],
    isRequested: false,
    wished: undefined,
    hasOtherWish: false,
    isAvailable: false,
    warnings: [],
  })
  const candidates = Array.from(
    { length: peopleCount },
    (_, id): Candidate => ({
      id,
      loadCost: (id * 7919) % 200,
      limits: [{ kind: 'rest_hours', value: 8, blocks: true }],
      minorOn: new Set(),
      engagements: [],
      chances: new Map(shifts.map((shift) => [shift.id, chance(shift.id)])),
    }),
  )
  return { shifts, places, candidates, timeZone: ZONE }
}

/** How often the event loop has turned while the work was done. */
async function turnsDuring<Result>(work: () => Promise<Result> | Result): Promise<{ turns: number; result: Result }> {
  let turns = 0
  let isDone = false
  const beat = () => {
    turns++
    if (!isDone) setImmediate(beat)
  }
  setImmediate(beat)
  const result = await work()
  isDone = true
  return { turns, result }
}

describe('a search for people', () => {
  const input = makeInput(20, 60)

  test('finds in the thread what it finds in the process, while other work goes on', async () => {
    const here = await turnsDuring(() => propose(input))
    const there = await turnsDuring(() => searchProposal(input))
    const { isOutOfTime, ...found } = there.result
    assert.deepEqual(found, here.result)
    assert.equal(isOutOfTime, false)
    assert.equal(here.turns, 0, 'in the process, nothing else runs')
    assert.notEqual(there.turns, 0, 'beside the thread, others run')
  })

  test('that takes too long ends with a plan that keeps all limits', async () => {
    const large = makeInput(100, 300)
    const { isOutOfTime, isOptimal, places } = await searchProposal(large, { cpuLimitMs: 1 })
    assert.deepEqual([isOutOfTime, isOptimal], [true, false])
    const ends = new Map<number, number>()
    for (const { place, choices } of places)
      for (const { candidate } of choices) {
        const shift = large.shifts.find(({ id }) => id === place.shiftId)!
        assert.ok((ends.get(candidate.id) ?? 0) + 8 * HOUR <= shift.start.getTime(), 'eight hours of rest')
        ends.set(candidate.id, shift.end.getTime())
      }
  })

  test('that is stopped ends at once, while it waits or runs, and the next one runs', async () => {
    const large = makeInput(100, 300)
    const running = new AbortController()
    const waiting = new AbortController()
    const both = [running, waiting].map(({ signal }) => assert.rejects(searchProposal(large, { signal }), { name: 'AbortError' }))
    waiting.abort()
    running.abort()
    await Promise.all(both)
    assert.equal((await searchProposal(input)).isOutOfTime, false)
  })

  test('that fails tells so, and the next one runs', async () => {
    const broken = { ...input, candidates: [{ id: 1 } as unknown as Candidate] }
    await assert.rejects(searchProposal(broken), TypeError)
    assert.equal((await searchProposal(input)).isOutOfTime, false)
  })
})

describe('a proposal for an event of many shifts', async () => {
  const world = await openWorld()
  const group = await world.addGroup('Everybody', [])
  await sql`insert into user_profile (email, display_name, created_at)
    select 'many' || n || '@a.example', 'Many ' || n, ${world.now} from generate_series(1, 500) n`.execute(world.db.write)
  await sql`insert into user_group_member (group_id, user_id)
    select ${group.id}, id from user_profile where email like 'many%'`.execute(world.db.write)
  const { id } = await world.addEvent({
    title: 'Festival',
    seenBy: [group],
    responsible: [PAUL],
    shifts: Array.from({ length: 67 }, (_, n) => {
      const start = new Date(Date.parse('2031-06-01T06:00:00Z') + n * HOUR).toISOString()
      return {
        start,
        meeting: start,
        end: new Date(Date.parse(start) + 4 * HOUR).toISOString(),
        structure: 'uniform',
        configuration: { minimum_number_of_participants: 2 },
      }
    }),
  })
  const context = {
    ...contextAs(world, PAUL),
    db: world.db.read,
    words: wordsFor('en', ZONE),
    actor: makeActor(contextAs(world, PAUL).actor),
  }

  test('considers 400 people and fills all places, with the search outside of the process', async () => {
    let searched = 0
    const options = { scope: { kind: 'event', id }, pool: 'everyone', isOptionalFilled: false, fixed: [] } as const
    const result = await loadProposal(context, options, {
      search: (input) => {
        searched = input.candidates.length
        return searchProposal(input)
      },
    })
    assert.equal(searched, 400)
    assert.equal(result.isOutOfTime, false)
    assert.deepEqual(
      result.places.map(({ choices }) => choices.length),
      Array(67).fill(2),
    )
  })
})
