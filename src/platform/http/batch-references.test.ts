import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveReferences } from './batch-references.ts'

const RESULTS = [
  { status: 201, headers: { etag: '"x"' }, body: { id: 12, title: 'a/b', shifts: [{ id: 31 }], 'a/b': null } },
  { status: 204, headers: { long: 'x'.repeat(501) }, body: null },
]

const RESOLVED: [given: object, expected: object][] = [
  [{ path: '/api/events/{0/body/id}/publish/' }, { path: '/api/events/12/publish/' }],
  [{ path: '/api/users/by_email/{0/body/title}/' }, { path: '/api/users/by_email/a%2Fb/' }],
  [{ path: '/x/{0/body/shifts/0/id}/{0/status}/' }, { path: '/x/31/201/' }],
  [
    { path: '/', if_match: '{0/headers/etag}' },
    { path: '/', if_match: '"x"' },
  ],
  [
    { path: '/', body: { user: { $result: '0/body/id' }, all: [{ $result: '0/body/title' }], none: { $result: '0/body/a~1b' } } },
    { path: '/', body: { user: 12, all: ['a/b'], none: null } },
  ],
  // No references: other keys beside it, no text, braces without a number.
  [
    { path: '/{id}/', body: { $result: '0/body/id', more: 1 } },
    { path: '/{id}/', body: { $result: '0/body/id', more: 1 } },
  ],
  [
    { path: '/', body: { a: { $result: 0 } } },
    { path: '/', body: { a: { $result: 0 } } },
  ],
]
for (const [given, expected] of RESOLVED)
  test(`${JSON.stringify(given)} becomes ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(resolveReferences(given as { path: string }, RESULTS), { ok: true, step: expected }))

const UNKNOWN: [given: object, pointer: string][] = [
  [{ path: '/x/{2/body/id}/' }, '/path'],
  [{ path: '/x/{0/body/name}/' }, '/path'],
  [{ path: '/x/{1/body/id}/' }, '/path'],
  [{ path: '/x/{0/body/shifts}/' }, '/path'],
  [{ path: '/x/{0/body/toString}/' }, '/path'],
  [{ path: '/', if_match: '{1/headers/etag}' }, '/if_match'],
  [{ path: '/', body: [{ $result: '5/body' }] }, '/body'],
  [{ path: '/', body: { a: { $result: 'x' } } }, '/body'],
  // Records and long texts, repeated, would grow beyond the limit of bodies.
  [{ path: '/', body: { $result: '0/body/shifts' } }, '/body'],
  [{ path: '/', body: { $result: '1/headers/long' } }, '/body'],
]
for (const [given, pointer] of UNKNOWN)
  test(`${JSON.stringify(given)} refers to something that there is not`, () =>
    assert.deepEqual(resolveReferences(given as { path: string }, RESULTS), { ok: false, pointer }))
