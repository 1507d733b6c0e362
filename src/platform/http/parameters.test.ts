import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestContext } from '#platform/auth/context.ts'
import { deprecationHeaders } from './deprecation.ts'
import { BadParameter, deprecatedIn, type Parameter, readParameters } from './parameters.ts'
import { Problem } from './problem.ts'
import { parseRawQuery } from './raw-query.ts'

const told = { description: '', schema: { type: 'string' } }
const word: Parameter<string> = {
  ...told,
  read: (values) => {
    const text = values.at(-1)!.trim()
    if (/\d/.test(text)) throw new BadParameter('invalid_format', `${text} has digits`)
    return text || undefined
  },
}
const known: Parameter<string> = {
  ...word,
  verify: async (value) => {
    if (value !== 'ann') throw new BadParameter('unknown', `${value} is not here`)
  },
}
const old: Parameter<string> = { ...word, deprecated: { use: 'word' } }
const PARAMETERS = { word, known, list: { ...told, list: true, read: (values: string[]) => values } as Parameter<string[]>, old }
const read = (query: string) => readParameters(PARAMETERS, parseRawQuery(`/?${query}`), {} as RequestContext)

const TAKEN: [query: string, expected: object][] = [
  ['', {}],
  ['other=1&__proto__=2', {}],
  ['word=a', { word: 'a' }],
  ['word=a&word=b', { word: 'b' }],
  ['word=', {}],
  ['word=++', {}],
  ['known=ann', { known: 'ann' }],
  ['list=a&word=b&list=', { list: ['a', ''], word: 'b' }],
  ['old=a', { old: 'a' }],
]
for (const [query, expected] of TAKEN)
  test(`?${query} is read as ${JSON.stringify(expected)}`, async () => assert.deepEqual(await read(query), expected))

test('all errors are reported at once, in the order of the declaration', async () => {
  await assert.rejects(read('old=4&known=ben&word=1&list=x'), (error) => {
    assert.ok(error instanceof Problem && error.status === 400)
    assert.deepEqual(error.errors, [
      { parameter: 'word', code: 'invalid_format', detail: '1 has digits' },
      { parameter: 'known', code: 'unknown', detail: 'ben is not here' },
      { parameter: 'old', code: 'invalid_format', detail: '4 has digits' },
    ])
    return true
  })
})

test('an exception of a parameter reader is not reported as a bad value', async () => {
  const broken: Parameter<string> = { ...told, read: () => (undefined as never as string).trim() }
  await assert.rejects(readParameters({ broken }, parseRawQuery('/?broken=1'), {} as RequestContext), TypeError)
})

const DEPRECATED: [query: string, names: string[]][] = [
  ['', []],
  ['word=a', []],
  ['old=', []],
  ['old=+', []],
  ['old=a', ['old']],
  ['old=&old=a', ['old']],
]
for (const [query, names] of DEPRECATED) {
  test(`?${query} used ${names.length ? names : 'no old name'}`, () => {
    const raw = parseRawQuery(`/?${query}`)
    assert.deepEqual(deprecatedIn(PARAMETERS, raw), names)
    assert.equal('deprecation' in deprecationHeaders(PARAMETERS, raw, 'https://a.example'), names.length > 0)
  })
}

test('deprecation headers are valid dates, the sunset two years later', () => {
  const headers = deprecationHeaders(PARAMETERS, parseRawQuery('/?old=a'), 'https://a.example')
  const since = new Date(Number(/^@(\d+)$/.exec(headers.deprecation!)![1]) * 1000)
  const end = new Date(headers.sunset!)
  assert.equal(end.toUTCString(), headers.sunset)
  assert.equal(end.getUTCFullYear() - since.getUTCFullYear(), 2)
  assert.match(headers.link!, /^<https:\/\/a\.example\/.*>; rel="deprecation"/)
})
