import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FLOWS, getFlow, termsOf } from './registry.ts'

const start = new Date('2031-05-04T08:00:00Z')
const end = new Date('2031-05-04T12:00:00Z')
const read = (flowSlug: string, flowConfiguration: unknown) =>
  termsOf({ start, end, flowSlug, flowConfiguration }, 'Europe/Berlin')

test('the four flows are known by their slugs', () => {
  assert.deepEqual(
    FLOWS.map(({ slug, hasRequestStage }) => [slug, hasRequestStage]),
    [
      ['request_confirm', true],
      ['instant_confirmation', false],
      ['manual', false],
      ['coupled', true],
    ],
  )
  assert.equal(getFlow('lottery'), undefined)
  assert.equal(read('lottery', {}), undefined)
})

describe('terms of a flow', () => {
  for (const slug of ['request_confirm', 'instant_confirmation']) {
    test(`${slug} by default: open to the end, times can be chosen, nobody leaves once confirmed`, () => {
      assert.deepEqual(read(slug, {}), {
        hasRequestStage: slug === 'request_confirm',
        closedToAll: undefined,
        opensAt: null,
        closesAt: end,
        mayDeclineConfirmed: false,
        mayChooseTimes: true,
        asksAgainFrom: null,
      })
    })
  }

  test('are as configured, and keys of other systems do no harm', () => {
    const terms = read('instant_confirmation', {
      signup_from: 'P7D',
      signup_until: '2031-05-04T08:00:00+02:00',
      other: [1],
      user_can_decline_confirmed: true,
      user_can_customize_signup_times: false,
    })
    assert.deepEqual([terms?.mayDeclineConfirmed, terms?.mayChooseTimes], [true, false])
    assert.deepEqual(
      [terms?.opensAt?.toISOString(), terms?.closesAt.toISOString()],
      ['2031-04-27T08:00:00.000Z', '2031-05-04T06:00:00.000Z'],
    )
  })

  test('are unknown if the configuration cannot be read', () => {
    for (const broken of [null, 'x', { signup_until: 5 }, { signup_until: 'soon' }, { user_can_decline_confirmed: 'yes' }])
      assert.equal(read('request_confirm', broken), undefined)
    assert.equal(read('coupled', { leader_shift_id: 'x' }), undefined)
  })

  test('of manual and coupled let nobody sign up or decline, and say why', () => {
    assert.deepEqual(read('manual', { no_selfservice_explanation: ' Ask Paul. ' })?.closedToAll, {
      code: 'no_self_service',
      explanation: 'Ask Paul.',
    })
    assert.deepEqual(read('manual', {})?.closedToAll, { code: 'no_self_service', explanation: '' })
    assert.deepEqual(read('coupled', { leader_shift_id: 3 })?.closedToAll, { code: 'follows_other_shift' })
    assert.deepEqual(read('coupled', {})?.closedToAll, { code: 'leader_missing' })
  })
})
