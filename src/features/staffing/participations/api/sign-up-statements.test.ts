import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import pg from 'pg'
import { ANN, BEN, HELPERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

/** Each is a way to the database and back while others wait for the locks. */
const MOST_STATEMENTS = 12

describe(`a sign-up and a decline take at most ${MOST_STATEMENTS} statements`, async () => {
  const world = await openWorld()
  const ann = world.as(ANN, 'ME_WRITE', 'ME_READ')

  const shiftOf = async (shift: object) => {
    const configuration = { user_can_decline_confirmed: true }
    const usual = { start: '2031-05-04T08:00:00Z', flow: 'instant_confirmation', flowConfiguration: configuration }
    const [id] = (await world.addEvent({ seenBy: [HELPERS], shifts: [{ ...usual, ...shift }] })).shifts
    await world.addParticipation({ who: BEN, shift: id!, state: 1 })
    return id!
  }
  const SHIFTS: [what: string, shift: object][] = [
    ['of a shift with places', { configuration: { maximum_number_of_participants: 5 } }],
    ['of a shift on request', { flow: 'request_confirm' }],
    [
      'of a shift with teams',
      { structure: 'named_teams', configuration: { teams: [{ uuid: 'red', title: 'Red', max_count: 4 }] } },
    ],
  ]
  for (const [what, shift] of SHIFTS)
    test(what, async () => {
      const id = await shiftOf(shift)
      const post = async (step: 'signup' | 'decline') => {
        const query = mock.method(pg.Client.prototype, 'query')
        try {
          const { status } = await ann.post(`/api/shifts/${id}/${step}/`, {})
          const texts = query.mock.calls.map(({ arguments: [first] }) =>
            String((first as { text?: string }).text ?? first).trim(),
          )
          // Limits are stored in the background, for many requests at a time.
          return { status, texts: texts.filter((text) => !text.includes('rate_count')) }
        } finally {
          query.mock.restore()
        }
      }
      // What a process keeps is loaded by the first requests.
      await post('signup')
      await post('decline')
      for (const [step, expected] of [
        ['signup', 201],
        ['decline', 200],
      ] as const) {
        const { status, texts } = await post(step)
        const list = texts.map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 120)).join('\n')
        assert.equal(status, expected)
        assert.ok(texts.length > 5, `${step}: counted nothing`)
        assert.ok(texts.length <= MOST_STATEMENTS, `${step}: ${texts.length} statements\n${list}`)
      }
    })
})
