import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, assertRecord, checkAnswer, endpointFor } from './api-response.ts'
import { ANN } from './people.ts'
import { openWorld } from './world.ts'

describe('the check of API responses', async () => {
  const world = await openWorld()
  const { shifts } = await world.addEvent({ seenBy: [ANN], shifts: [{}] })
  await world.addParticipation({ who: ANN, shift: shifts[0]! })
  const caller = world.as(ANN, 'PUBLIC_READ', 'CONFIDENTIAL_READ', 'ME_READ')
  const path = '/api/users/me/participations/'
  const sound = await caller.get(path)
  const refused = await world.nobody.get(path)

  const withText = (answer: Answer, change: (text: string) => string): Answer => {
    const text = change(answer.text)
    assert.notEqual(text, answer.text)
    return { ...answer, text, body: JSON.parse(text) }
  }
  const withHeader = (answer: Answer, name: string, value: string | undefined): Answer => ({
    ...answer,
    headers: { ...answer.headers, [name]: value },
  })

  const BROKEN: [what: string, answer: () => Answer][] = [
    ['an unknown key', () => withText(sound, (text) => text.replace('"comments":', '"phone":"1","comments":'))],
    ['a missing key', () => withText(sound, (text) => text.replace('"comments":[],', ''))],
    ['another order', () => withText(sound, (text) => text.replace(/("shift":\d+),("event":\d+)/, '$2,$1'))],
    ['another order inside', () => withText(sound, (text) => text.replace(/("value":1),("label":"confirmed")/, '$2,$1'))],
    ['a duration without fraction', () => withText(sound, (text) => text.replace(/("duration":\d+)\.0/, '$1'))],
    ['blanks', () => withText(sound, (text) => text.replace('"results":', '"results": '))],
    ['a charset', () => withHeader(sound, 'content-type', 'application/json; charset=utf-8')],
    ['no ETag', () => withHeader(sound, 'etag', undefined)],
    ['a strong ETag', () => withHeader(sound, 'etag', sound.headers.etag!.slice(2))],
    ['no Vary', () => withHeader(sound, 'vary', undefined)],
    ['a public cache', () => withHeader(sound, 'cache-control', 'public')],
    ['no security header', () => withHeader(sound, 'x-content-type-options', undefined)],
    ['a cookie', () => withHeader(sound, 'set-cookie', 'a=b')],
    ['CORS', () => withHeader(sound, 'access-control-allow-origin', '*')],
    ['a problem without code', () => withText(refused, (text) => text.replace('"code":"not_authenticated",', ''))],
    ['a problem with a stack', () => withText(refused, (text) => text.replace('}', ',"stack":"at"}'))],
    ['a problem of another status', () => ({ ...refused, status: 403 })],
    ['a problem that is plain JSON', () => withHeader(refused, 'content-type', 'application/json')],
    ['401 without a challenge', () => withHeader(refused, 'www-authenticate', undefined)],
    ['an id of another request', () => withHeader(refused, 'x-request-id', 'something-else')],
  ]
  for (const [what, broken] of BROKEN) test(`reports ${what}`, () => assert.throws(() => checkAnswer('GET', path, broken())))

  test('accepts valid responses', () => {
    checkAnswer('GET', path, sound)
    checkAnswer('GET', path, refused)
  })

  test('prefers the endpoint with the most literal segments', () => {
    assert.equal(endpointFor('GET', '/api/users/me/')?.path, '/api/users/me/')
    assert.equal(endpointFor('HEAD', '/api/users/7/?search=a')?.path, '/api/users/{id}/')
    assert.equal(endpointFor('GET', '/api/users/me/participations.json')?.path, '/api/users/me/participations/')
    assert.equal(endpointFor('GET', '/api/users/7/participations/01.api/')?.path, '/api/users/{user}/participations/{id}/')
    assert.equal(endpointFor('PUT', '/api/users/'), undefined)
    // As the router: the path decides before the method.
    assert.equal(endpointFor('GET', '/api/users/me/notifications/read/'), undefined)
    assert.equal(endpointFor('GET', '/api/nothing/'), undefined)
  })

  test('refuses a record of another endpoint', () => {
    const events = endpointFor('GET', '/api/events/')
    assert.ok(events?.kind === 'list')
    assert.throws(() => assertRecord(events.item, sound.body.results[0]))
  })
})
