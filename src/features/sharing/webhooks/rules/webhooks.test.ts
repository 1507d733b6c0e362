import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkWebhook, findUnseen, placeIn, startOfLog, stateOf, type WebhookValues } from './webhooks.ts'

describe('the form of a webhook', () => {
  const FINE: WebhookValues = {
    name: 'n',
    description: '',
    url: 'https://a.example',
    kinds: ['event'],
    scopes: ['PUBLIC_READ'],
    include_record: false,
  }
  const surroundings = { kinds: ['event', 'shift', 'user', 'availability', 'access'], held: () => true, urlRefusal: undefined }
  const check = (values: Partial<WebhookValues>, around: Partial<Parameters<typeof checkWebhook>[1]> = {}) =>
    checkWebhook({ ...FINE, ...values }, { ...surroundings, ...around }).map(({ field, reason }) => `${field} ${reason}`)
  const CASES: [what: string, found: string[], expected: string[]][] = [
    ['is accepted', check({}), []],
    ['needs a name', check({ name: '' }), ['name no_name']],
    ['takes 100 characters as name', check({ name: 'x'.repeat(100) }), []],
    ['takes no longer name', check({ name: 'x'.repeat(101) }), ['name long_name']],
    ['takes 1000 characters as description', check({ description: 'x'.repeat(1000) }), []],
    ['takes no longer description', check({ description: 'x'.repeat(1001) }), ['description long_description']],
    ['takes 2000 characters as address', check({ url: 'x'.repeat(2000) }), []],
    ['takes no longer address', check({ url: 'x'.repeat(2001) }), ['url long_url']],
    ['passes on why the address is refused', check({}, { urlRefusal: 'not_https' }), ['url not_https']],
    ['needs a kind', check({ kinds: [] }), ['kinds no_kind']],
    ['takes several kinds', check({ kinds: ['shift', 'event'] }), []],
    ['takes only known kinds', check({ kinds: ['event', 'else'] }), ['kinds unknown_kind']],
    ['needs a scope', check({ scopes: [] }), ['scopes no_scope']],
    ['takes all scopes that read', check({ scopes: ['PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ'] }), []],
    ['takes no scope that writes', check({ scopes: ['PUBLIC_READ', 'PUBLIC_WRITE'] }), ['scopes unknown_scope']],
    [
      'takes no scope that the caller lacks',
      check({ scopes: ['PUBLIC_READ', 'ME_READ'] }, { held: (scope) => scope === 'PUBLIC_READ' }),
      ['scopes scope_not_held'],
    ],
    [
      'takes no kind that the scopes never show',
      check({ kinds: ['event', 'user', 'availability', 'access'] }),
      ['kinds scope_missing', 'kinds scope_missing'],
    ],
    ['takes a kind that one of the scopes shows', check({ kinds: ['user'], scopes: ['PUBLIC_READ', 'ME_READ'] }), []],
    [
      'keeps a kind that it never showed',
      check({ kinds: ['event', 'user'] }, { former: { kinds: ['user'], scopes: ['PUBLIC_READ'] } }),
      [],
    ],
    [
      'keeps no kind that it showed until now',
      check({ kinds: ['user'] }, { former: { kinds: ['user'], scopes: ['ME_READ'] } }),
      ['kinds scope_missing'],
    ],
    ['asks for no right to an unknown scope', check({ scopes: ['else'] }, { held: () => false }), ['scopes unknown_scope']],
    [
      'names all mistakes at once',
      check({ name: '', url: '', kinds: [], scopes: [] }, { urlRefusal: 'not_a_url' }),
      ['name no_name', 'url not_a_url', 'kinds no_kind', 'scopes no_scope'],
    ],
  ]
  for (const [what, found, expected] of CASES) test(what, () => assert.deepEqual(found, expected))
})

test('kinds that are never shown are told by the scopes that they lack', () => {
  assert.deepEqual(findUnseen(['companions', 'group', 'event', 'user', 'attendance', 'else'], ['PUBLIC_READ']), [
    { kinds: ['user'], scopes: ['ME_READ', 'CONFIDENTIAL_READ'] },
    { kinds: ['group', 'attendance'], scopes: ['CONFIDENTIAL_READ'] },
    { kinds: ['companions'], scopes: ['ME_READ'] },
  ])
})

describe('the state of a webhook', () => {
  const ON = { active: true, offReason: null, isOwnerActive: true, failures: 0 }
  const OFF = { ...ON, active: false }
  const CASES: [facts: Parameters<typeof stateOf>[0], expected: string][] = [
    [ON, 'active'],
    [{ ...ON, failures: 1 }, 'failing'],
    [{ ...ON, isOwnerActive: false, failures: 1 }, 'off_owner'],
    [{ ...ON, offReason: 'gone' }, 'active'],
    [{ ...ON, offReason: 'failing' }, 'active'],
    [{ ...OFF, isOwnerActive: false }, 'paused'],
    [{ ...OFF, offReason: 'gone' }, 'off_gone'],
    [{ ...OFF, offReason: 'failing', failures: 9 }, 'off_failing'],
  ]
  for (const [facts, expected] of CASES)
    test(`${JSON.stringify(facts)}: ${expected}`, () => assert.equal(stateOf(facts), expected))
})

describe('the place in the feed', () => {
  const FEED = { id: 'a', removedThrough: 10 }
  const CASES: [what: string, at: { feedId: string; position: number }, expected: { position: number; isMissed: boolean }][] = [
    ['goes on after kept changes', { feedId: 'a', position: 11 }, { position: 11, isMissed: false }],
    ['goes on right after the removed ones', { feedId: 'a', position: 10 }, { position: 10, isMissed: false }],
    ['misses removed changes', { feedId: 'a', position: 9 }, { position: 10, isMissed: true }],
    ['starts again in another feed', { feedId: 'b', position: 99 }, { position: 10, isMissed: true }],
  ]
  for (const [what, at, expected] of CASES) test(what, () => assert.deepEqual(placeIn(FEED, at), expected))
})

test('the log is kept for 30 days', () =>
  assert.equal(startOfLog(new Date('2030-01-31T12:00:00Z')).toISOString(), '2030-01-01T12:00:00.000Z'))
