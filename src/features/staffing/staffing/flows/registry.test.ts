import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FLOWS, getFlow, isSelfService, readSignupRules } from './registry.ts'

const start = new Date('2031-05-04T08:00:00Z')
const end = new Date('2031-05-04T12:00:00Z')
const read = (flowSlug: string, flowConfiguration: unknown) =>
  readSignupRules({ start, end, flowSlug, flowConfiguration }, 'Europe/Berlin')

test('the four flows are known by their slugs', () => {
  assert.deepEqual(
    FLOWS.map(({ slug, hasRequestStage, isSelfService }) => [slug, hasRequestStage, isSelfService]),
    [
      ['request_confirm', true, true],
      ['instant_confirmation', false, true],
      ['manual', false, false],
      ['coupled', true, false],
    ],
  )
  assert.equal(getFlow('lottery'), undefined)
  assert.equal(read('lottery', {}), undefined)
  assert.equal(isSelfService('lottery'), false)
})

describe('sign-up rules of a flow', () => {
  for (const slug of ['request_confirm', 'instant_confirmation']) {
    test(`${slug} by default: open until the end, times can be chosen, confirmed people cannot decline`, () => {
      assert.deepEqual(read(slug, {}), {
        hasRequestStage: slug === 'request_confirm',
        selfServiceRefusal: undefined,
        opensAt: null,
        closesAt: end,
        canDeclineConfirmed: false,
        canChooseTimes: true,
        lateChangesFrom: null,
        maxCompanions: 0,
      })
    })
  }

  test('follow the configuration and ignore unknown keys', () => {
    const rules = read('instant_confirmation', {
      signup_from: 'P7D',
      signup_until: '2031-05-04T08:00:00+02:00',
      other: [1],
      user_can_decline_confirmed: true,
      user_can_customize_signup_times: false,
    })
    assert.deepEqual([rules?.canDeclineConfirmed, rules?.canChooseTimes], [true, false])
    assert.deepEqual(
      [rules?.opensAt?.toISOString(), rules?.closesAt.toISOString()],
      ['2031-04-27T08:00:00.000Z', '2031-05-04T06:00:00.000Z'],
    )
  })

  test('are undefined if the configuration is invalid', () => {
    for (const broken of [null, 'x', { signup_until: 5 }, { signup_until: 'soon' }, { user_can_decline_confirmed: 'yes' }])
      assert.equal(read('request_confirm', broken), undefined)
    assert.equal(read('coupled', { leader_shift_id: 'x' }), undefined)
  })

  test('of manual and coupled refuse sign-up and decline with a reason', () => {
    assert.deepEqual(read('manual', { no_selfservice_explanation: ' Ask Paul. ' })?.selfServiceRefusal, {
      code: 'no_self_service',
      explanation: 'Ask Paul.',
    })
    assert.deepEqual(read('manual', {})?.selfServiceRefusal, { code: 'no_self_service', explanation: '' })
    assert.deepEqual(read('coupled', { leader_shift_id: 3 })?.selfServiceRefusal, { code: 'follows_other_shift' })
    assert.deepEqual(read('coupled', {})?.selfServiceRefusal, { code: 'leader_missing' })
  })
})
