import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import type { RequestContext } from '#platform/auth/context.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { type CursorBinding, cursorLinks, readCursor } from './cursor.ts'
import {
  choiceParameter,
  emailListParameter,
  idListParameter,
  idParameter,
  orderingParameter,
  searchParameter,
} from './parameter-kinds.ts'
import { BadParameter, type Parameter } from './parameters.ts'
import { MAX_LIMIT_WITH_INCLUDES, pageOf, parametersFor, shapeRecords } from './request-options.ts'
import { parseTime, timeParameter } from './time-parameter.ts'

const keyring = makeKeyring('a key of thirty-two characters, or more')
const context = {
  words: wordsFor('en', 'Europe/Berlin'),
  site: { timeZone: 'Europe/Berlin', keyring },
} as unknown as RequestContext
const codeOf = (error: unknown) => (error instanceof BadParameter ? error.code : String(error))
/** The value, or the code of the error. */
const read = <T>(parameter: Parameter<T>, ...values: string[]): T | string | undefined => {
  try {
    return parameter.read(values, context)
  } catch (error) {
    return codeOf(error)
  }
}

describe('times', () => {
  for (const [text, expected] of [
    ['2031-05-04', '2031-05-03T22:00:00Z'],
    ['20310504', '2031-05-03T22:00:00Z'],
    ['2031-W18-7', '2031-05-03T22:00:00Z'],
    ['2031-W18', '2031-04-27T22:00:00Z'],
    ['2031W187', '2031-05-03T22:00:00Z'],
    ['2032-W53', '2032-12-26T23:00:00Z'],
    ['2031-W53', undefined],
    ['2031-W00', undefined],
    ['2031-W18-0', undefined],
    ['2031-02-29', undefined],
    ['2032-02-29', '2032-02-28T23:00:00Z'],
    ['0000-01-01', undefined],
    ['0001-01-01T00:00:00+01:00', undefined],
    ['0001-01-02T00:00:00Z', '0001-01-02T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    ['9999-12-31T23:59:59-01:00', undefined],
    ['2031-05-04T08', '2031-05-04T06:00:00Z'],
    ['2031-05-04 08:30', '2031-05-04T06:30:00Z'],
    ['2031-05-04T083015', '2031-05-04T06:30:15Z'],
    ['2031-05-04T0830', '2031-05-04T06:30:00Z'],
    ['2031-05-04T08:30:15,25Z', '2031-05-04T08:30:15.25Z'],
    ['2031-05-04T08:30:15.1234567Z', '2031-05-04T08:30:15.123456Z'],
    ['2031-05-04T083015.000001Z', '2031-05-04T08:30:15.000001Z'],
    ['2031-05-04T08:00:00+02:30', '2031-05-04T05:30:00Z'],
    ['2031-05-04T08:00:00-0230', '2031-05-04T10:30:00Z'],
    ['2031-05-04T08:00:00+02', '2031-05-04T06:00:00Z'],
    ['2031-05-04T08:00:00+23:59', '2031-05-03T08:01:00Z'],
    ['2031-05-04T08:00:00+24:00', undefined],
    ['2031-05-04T08:00:00+02:60', undefined],
    ['2031-05-04T23:59:59Z', '2031-05-04T23:59:59Z'],
    ['2031-05-04T24:00:00Z', undefined],
    ['2031-05-04T08:60:00Z', undefined],
    ['2031-05-04T08:00:60Z', undefined],
    ['2031-05-04T', undefined],
    ['2031-05-04T08:00x', undefined],
    ['tomorrow', undefined],
  ] as const)
    test(`${text}: ${expected ?? 'none'}`, () => assert.equal(parseTime(text, 'Europe/Berlin'), expected))

  test('that a clock change skips or repeats need an offset', () => {
    const at = timeParameter({ description: 'At.' })
    for (const [text, expected] of [
      ['2031-03-30T02:30', 'ambiguous_time'],
      ['2031-10-26T02:30', 'ambiguous_time'],
      ['2031-10-26T02:30+01:00', '2031-10-26T01:30:00Z'],
      ['2031-03-30T03:00', '2031-03-30T01:00:00Z'],
      ['soon', 'invalid_time'],
      ['  ', undefined],
      [' 2031-05-04T08Z ', '2031-05-04T08:00:00Z'],
    ] as const)
      assert.equal(read(at, text), expected, text)
    assert.equal(read(at, 'soon', '2031-05-04T08Z'), '2031-05-04T08:00:00Z', 'the last of several')
  })
})

describe('ids', () => {
  const known = async (ids: number[]) => new Set(ids.filter((id) => id < 10))
  const one = idParameter({ description: 'One.', known })
  const many = idListParameter({ description: 'Many.', known })
  const verify = <T>(parameter: Parameter<T>, value: T) => parameter.verify!(value, context).then(() => 'known', codeOf)
  test('are whole numbers, the last one counts, and they exist', async () => {
    for (const [values, expected] of [
      [['7'], 7],
      [[' +7 '], 7],
      [['-7'], -7],
      [['1', '2'], 2],
      [[' '], undefined],
      [['7.5'], 'invalid_choice'],
      [['7a'], 'invalid_choice'],
      [['9007199254740991'], 9007199254740991],
      [['9007199254740993'], 'invalid_choice'],
    ] as const)
      assert.equal(read(one, ...values), expected, values.join())
    assert.deepEqual([await verify(one, 9), await verify(one, 10)], ['known', 'invalid_choice'])
  })
  test('of lists may be repeated or separated by commas; one that is wrong refuses all', async () => {
    assert.deepEqual(read(many, '1,2', ' 3'), [1, 2, 3])
    assert.deepEqual(
      [read(many, '1,x'), read(many, ''), read(many, '1,9007199254740993')],
      ['invalid_value', 'invalid_value', 'invalid_choice'],
    )
    assert.deepEqual(
      [await verify(many, [1, 9]), await verify(many, [1, 10]), await verify(many, [])],
      ['known', 'invalid_choice', 'known'],
    )
    assert.equal(many.list, true)
  })
})

test('choices, searches, addresses and orders', () => {
  const level = choiceParameter('Level.', [0, 1, 2])
  assert.deepEqual(
    [read(level, '1'), read(level, ' 2 '), read(level, '3'), read(level, ''), read(level, '9', '0'), level.schema],
    [1, 2, 'invalid_choice', undefined, 0, { type: 'integer', enum: [0, 1, 2] }],
  )
  assert.deepEqual(choiceParameter('State.', ['a']).schema, { type: 'string', enum: ['a'] })
  const search = searchParameter('titles')
  for (const [text, expected] of [
    ['pier  harbour,run', ['pier', 'harbour', 'run']],
    [`"pier 3" 'old boat' x`, ['pier 3', 'old boat', 'x']],
    ['"', undefined],
    ["' '", undefined],
    ['""', undefined],
    [' ', undefined],
    ['a\0b', 'null_character'],
  ] as const)
    assert.deepEqual(read(search, text), expected, text)
  const addresses = emailListParameter('Of.', 2)
  for (const [values, expected] of [
    [['a@x, b@x'], ['a@x', 'b@x']],
    [
      ['a@x', 'b@x'],
      ['a@x', 'b@x'],
    ],
    [['a@x,b@x,c@x'], 'too_many_values'],
    [[' , '], undefined],
    [['a\0@x'], 'null_character'],
  ] as const)
    assert.deepEqual(read(addresses, ...values), expected, values.join('|'))
  const order = orderingParameter(['title', 'start'])
  for (const [text, expected] of [
    ['title', [{ field: 'title', descending: false }]],
    [
      ' -start , title',
      [
        { field: 'start', descending: true },
        { field: 'title', descending: false },
      ],
    ],
    ['nothing,-title', [{ field: 'title', descending: true }]],
    ['--title', undefined],
    ['', undefined],
  ] as const)
    assert.deepEqual(read(order, 'start', text), expected, text)
})

describe('cursors', () => {
  const binding: CursorBinding = { keyring, list: 'events', filters: [['type', '1']] }
  const page = (more: object = {}) =>
    cursorLinks(binding, {
      base: '/api/events/',
      query: [
        ['type', '1'],
        ['cursor', 'old'],
        ['offset', '3'],
        ['limit', '9'],
        ['a', 'b'],
      ],
      limit: 5,
      keyset: { backward: false },
      edges: { first: [1, 'x'], last: [2, 'y'], hasMore: true },
      ...more,
    } as Parameters<typeof cursorLinks>[1])
  const cursorIn = (link: string | null) => new URL(link!, 'https://a.example').searchParams.get('cursor')!
  test('lead to the next and the page before, as far as there are some', () => {
    const { next, previous } = page()
    assert.equal(previous, null)
    assert.match(next!, /^\/api\/events\/\?a=b&cursor=[\w-]+&limit=5&type=1$/)
    assert.deepEqual(readCursor(binding, cursorIn(next)), { backward: false, after: [2, 'y'] })
    const edges = { first: [1], last: [2], hasMore: false }
    const has = (links: { next: string | null; previous: string | null }) => [links.next !== null, links.previous !== null]
    assert.deepEqual(has(page({ edges })), [false, false])
    assert.deepEqual(has(page({ edges, keyset: { backward: false, after: [0] } })), [false, true])
    assert.deepEqual(has(page({ edges, keyset: { backward: true, after: [9] } })), [true, false])
    assert.deepEqual(has(page({ edges: { ...edges, hasMore: true }, keyset: { backward: true, after: [9] } })), [true, true])
    assert.deepEqual(has(page({ edges: undefined })), [false, false])
    const before = page({ keyset: { backward: false, after: [0] } }).previous
    assert.deepEqual(readCursor(binding, cursorIn(before)), { backward: true, after: [1, 'x'] })
  })
  test('work for their list with its filters alone', () => {
    const cursor = cursorIn(page().next)
    assert.deepEqual(readCursor(binding, ''), { backward: false })
    for (const [other, text] of [
      [{ ...binding, list: 'shifts' }, cursor],
      [{ ...binding, filters: [] }, cursor],
      [{ ...binding, keyring: makeKeyring('another key of thirty-two characters') }, cursor],
      [binding, `${cursor}AAAA`],
      [binding, `${cursor}!`],
      [binding, cursor.slice(0, 15)],
    ] as const)
      assert.equal(readCursor(other as CursorBinding, text), undefined, text)
  })

  const endpoint = {
    kind: 'list',
    path: '/api/events/',
    item: z.object({ id: z.int(), title: z.string() }),
    parameters: { type: choiceParameter('Type.', ['1']) },
    includes: {
      shifts: {
        access: { kind: 'public' },
        load: async (_: unknown, ids: number[]) => new Map(ids.slice(1).map((id) => [id, [`of ${id}`]])),
      },
    },
  } as unknown as Parameters<typeof parametersFor>[0]
  const parametersOf = (query: [string, string][], kind = 'list') =>
    parametersFor(
      { ...endpoint, kind, ...(kind === 'record' ? { record: z.object({ id: z.int() }) } : {}) } as typeof endpoint,
      query,
      () => binding,
    ) as Record<string, Parameter<unknown>>
  test('fields and included records are parameters of requests that name one of them', () => {
    assert.deepEqual(Object.keys(parametersOf([['type', '1']])), ['type'])
    assert.deepEqual(Object.keys(parametersOf([['fields', 'id']])), ['type', 'cursor', 'fields', 'include'])
    assert.deepEqual(Object.keys(parametersOf([['include', '']], 'record')), ['type', 'fields', 'include'])
    const { cursor, fields, include } = parametersOf([['include', 'shifts']])
    assert.deepEqual(read(fields!, 'id, title', 'shifts,,id'), new Set(['id', 'title', 'shifts']))
    assert.deepEqual([read(fields!, 'id,nothing'), read(fields!, ' ')], ['unknown_field', undefined])
    assert.deepEqual(read(parametersOf([['fields', 'shifts']]).fields!, 'shifts'), 'unknown_field')
    assert.deepEqual(
      [read(include!, 'shifts,shifts'), read(include!, 'people'), read(include!, '')],
      [['shifts'], 'invalid_choice', undefined],
    )
    assert.deepEqual([read(cursor!, ''), read(cursor!, 'x')], [{ backward: false }, 'invalid_cursor'])
    assert.equal(
      read(
        parametersOf([
          ['cursor', ''],
          ['offset', '1'],
        ]).cursor!,
        '',
      ),
      'cursor_with_offset',
    )
    assert.deepEqual(
      read(
        parametersOf([
          ['cursor', ''],
          ['offset', ' '],
        ]).cursor!,
        '',
      ),
      { backward: false },
    )
  })
  test('pages with included records are smaller, and a cursor replaces the offset', () => {
    const query: [string, string][] = [
      ['limit', '500'],
      ['offset', '20'],
    ]
    const keyset = { backward: false }
    assert.deepEqual(pageOf(query, {}), { limit: 500, offset: 20 })
    assert.deepEqual(pageOf(query, { include: [] }), { limit: 500, offset: 20 })
    assert.deepEqual(pageOf(query, { include: ['shifts'] }), { limit: MAX_LIMIT_WITH_INCLUDES, offset: 20 })
    assert.deepEqual(pageOf([['limit', '3']], { cursor: keyset, include: ['shifts'] }), { limit: 3, offset: 0, keyset })
  })
  test('records have the chosen fields and what is included', async () => {
    const records = [
      { id: 1, title: 'One' },
      { id: 2, title: 'Two' },
    ]
    assert.equal(await shapeRecords(endpoint, records, {}, context), records)
    assert.deepEqual(await shapeRecords(endpoint, records, { fields: new Set(['title']) }, context), [
      { title: 'One' },
      { title: 'Two' },
    ])
    assert.deepEqual(await shapeRecords(endpoint, records, { fields: new Set(['title']), include: ['shifts'] }, context), [
      { title: 'One', shifts: [] },
      { title: 'Two', shifts: ['of 2'] },
    ])
    assert.deepEqual(await shapeRecords(endpoint, [], { include: ['shifts'] }, context), [])
  })
})
