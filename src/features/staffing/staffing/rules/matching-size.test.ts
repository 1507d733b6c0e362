import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MatchInput, match } from './matching.ts'
import type { MatchPerson, MatchPosition, MatchState } from './model.ts'
import { suggest } from './suggestion.ts'

const person = (id: number, state: MatchState, ...skills: number[]): MatchPerson => ({ id, state, skills: new Set(skills) })

function position(id: string, rank: number, more: Partial<MatchPosition> = {}): MatchPosition {
  return { id, rank, required: true, needs: [new Set()], designatedFor: new Set(), designationOnly: false, real: true, ...more }
}
const needing = (...skills: number[]) => ({ needs: [new Set(skills)] })

describe('the amount of work', () => {
  const effortOf = (input: MatchInput) => {
    const { assignment, effort } = match(input)
    return { placed: assignment.size, ...effort }
  }
  const crowd = (size: number) =>
    Array.from({ length: size }, (_, i) =>
      person(i + 1, i % 3 ? 'confirmed' : 'requested', ...[1, 2, 3, 4].filter((skill) => i % (skill + 1) === 0)),
    )

  test('grows with the number of groups: 1,000 people on 1,000 positions are a small network', () => {
    const positions = Array.from({ length: 1000 }, (_, i) =>
      position(`p${i}`, i, { required: i % 2 === 0, ...(i % 5 ? needing(i % 5) : {}) }),
    )
    const { placed, nodes, arcs, visits } = effortOf({ people: crowd(1000), positions })
    assert.ok(placed > 700, `${placed} placed`)
    assert.ok(nodes < 60, `${nodes} nodes`)
    assert.ok(arcs < 200, `${arcs} arcs`)
    assert.ok(visits < 50_000, `${visits} visits`)
  })

  test('stays small when all people have a previous position', () => {
    const positions = Array.from({ length: 1000 }, (_, i) => position(`p${i}`, i, i % 5 ? needing(i % 5) : {}))
    const people = crowd(1000)
    const previous = match({ people, positions }).assignment
    const { placed, arcs, visits } = effortOf({ people: people.slice(1), positions: positions.slice(1), previous })
    assert.ok(placed > 700, `${placed} placed`)
    assert.ok(arcs < 300, `${arcs} arcs`)
    assert.ok(visits < 20_000, `${visits} visits`)
  })

  test('stays bounded when 200 units have designated people', () => {
    const positions = Array.from({ length: 1000 }, (_, i) =>
      position(`p${i}`, i, { ...needing(1 + (i % 4)), designatedFor: new Set([1 + Math.floor(i / 5)]) }),
    )
    const { placed, arcs, visits } = effortOf({ people: crowd(1000), positions })
    assert.ok(placed >= 600, `${placed} placed`)
    assert.ok(arcs < 5_000, `${arcs} arcs`)
    assert.ok(visits < 5_000_000, `${visits} visits`)
  })

  test('stays bounded when people and positions differ widely', () => {
    const skills = Array.from({ length: 12 }, (_, i) => i + 1)
    const people = Array.from({ length: 1000 }, (_, i) =>
      person(i, 'confirmed', ...skills.filter((skill) => (i >> (skill - 1)) & 1)),
    )
    const positions = Array.from({ length: 1000 }, (_, i) =>
      position(`p${i}`, i, needing(...skills.filter((skill) => ((i * 37) >> (skill - 1)) & 1 && skill % 3))),
    )
    const { placed, arcs, visits } = effortOf({ people, positions })
    assert.ok(placed > 300, `${placed} placed`)
    assert.ok(arcs < 10_000, `${arcs} arcs`)
    assert.ok(visits < 1_000_000, `${visits} visits`)
  })

  const inclusions = new Map([1, 2, 3, 4].map((id) => [id, new Set(Array.from({ length: id }, (_, i) => i + 1))]))
  /** 100 units of ten positions; each person wishes for one of them. */
  const units = () => {
    const wishers = Array.from({ length: 100 }, (_, u) => new Set(crowd(1000).flatMap(({ id }) => (id % 100 === u ? [id] : []))))
    return Array.from({ length: 1000 }, (_, i) =>
      position(`p${i}`, i, {
        ...(i % 5 ? needing(i % 5) : {}),
        required: i % 3 > 0,
        preferredBy: wishers[Math.floor(i / 10)]!,
      }),
    )
  }

  test('stays bounded when each person wishes for one of 100 units and skills are ranked', () => {
    const { placed, arcs, visits } = effortOf({ people: crowd(1000), positions: units(), inclusions })
    assert.ok(placed > 500, `${placed} placed`)
    assert.ok(arcs < 10_000, `${arcs} arcs`)
    assert.ok(visits < 5_000_000, `${visits} visits`)
  })

  test('a suggestion for 1,000 people tries few moves', () => {
    const seats = units().map((one, i) => ({
      position: { ...one, designatedFor: new Set([i + 1]) },
      place: `${i % 100}`,
      isUnlimited: false,
      label: { kind: 'team' as const, title: '' },
    }))
    const { seats: taken, open } = suggest({ people: crowd(1000).slice(0, 900), seats, inclusions })
    assert.equal(taken.length, 900)
    assert.equal(open.length, 100)
  })
})
