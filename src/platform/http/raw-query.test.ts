import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from './problem.ts'
import { formEncode, parseRawQuery, type RawQuery, valuesOf } from './raw-query.ts'

const PARSED: [url: string, expected: RawQuery][] = [
  ['/a/', []],
  ['/a/?', []],
  ['/a/?&&', []],
  ['/a/?x', [['x', '']]],
  ['/a/?x=', [['x', '']]],
  ['/a/?=y', [['', 'y']]],
  [
    '/a/?x=1&x=2&y=3&x=1',
    [
      ['x', '1'],
      ['x', '2'],
      ['y', '3'],
      ['x', '1'],
    ],
  ],
  ['/a/?x=a=b', [['x', 'a=b']]],
  ['/a/?x=1?y=2', [['x', '1?y=2']]],
  ['/a/?x=a+b%20c%2B', [['x', 'a b c+']]],
  ['/a/?x+y=1', [['x y', '1']]],
  ['/a/?%C3%BC=%F0%9F%9A%92', [['ü', '🚒']]],
  ['/a/?x=%00', [['x', '\0']]],
  [
    '/a/?__proto__=1&constructor=2',
    [
      ['__proto__', '1'],
      ['constructor', '2'],
    ],
  ],
]
for (const [url, expected] of PARSED) test(`reads ${url}`, () => assert.deepEqual(parseRawQuery(url), expected))

for (const query of ['x=%zz', '%=1', 'x=%', 'x=%c3', 'x=%ff', 'a=1&b=%e0%a4%a', 'x=%ED%A0%80']) {
  test(`refuses the malformed escape in ${query}`, () =>
    assert.throws(
      () => parseRawQuery(`/a/?${query}`),
      (error) => error instanceof Problem && error.code === 'bad_request',
    ))
}

test('values of a parameter keep their order', () => {
  assert.deepEqual(valuesOf(parseRawQuery('/?x=1&y=2&x=&X=4'), 'x'), ['1', ''])
  assert.deepEqual(valuesOf(parseRawQuery('/?x=1'), 'toString'), [])
})

test('parsed values can be encoded as a form', () => {
  assert.equal(
    formEncode([
      ['a b', 'c:d+e'],
      ['ü', ''],
    ]),
    'a+b=c%3Ad%2Be&%C3%BC=',
  )
})
