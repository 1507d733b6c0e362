import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readApiPath, readPagePath, routeUrl, type SlugId } from './path.ts'
import { Problem } from './problem.ts'

const isNotFound = (error: unknown): boolean => error instanceof Problem && error.code === 'not_found'
const slug = (id: number, segment: string): SlugId => ({ id, segment })

test('the router gets names without kinds', () => {
  assert.equal(routeUrl('/events/{event:slug}/calendar.ics'), '/events/:event/calendar.ics')
  assert.equal(routeUrl('/shifts/shared/{shift}/{guest}/signup/'), '/shifts/shared/:shift/:guest/signup/')
})

const PAGES: [path: string, segments: Record<string, string>, values: object | undefined][] = [
  ['/events/{event}/edit/', { event: '12' }, { event: 12 }],
  ['/events/{event}/edit/', { event: '0' }, { event: 0 }],
  ['/events/{event}/edit/', { event: '999999999999999' }, { event: 999_999_999_999_999 }],
  ['/events/{event}/edit/', { event: '1000000000000000' }, undefined],
  ['/events/{event}/edit/', { event: '12-fair' }, undefined],
  ['/events/{event}/edit/', { event: ' 12' }, undefined],
  ['/events/{event}/edit/', { event: '-12' }, undefined],
  ['/events/{event}/edit/', { event: '1.5' }, undefined],
  ['/events/{event}/edit/', { event: '0x1f' }, undefined],
  ['/events/{event}/edit/', { event: '١٢' }, undefined],
  ['/events/{event}/edit/', { event: '12\n' }, undefined],
  ['/events/{event}/edit/', { event: '' }, undefined],
  ['/events/{event:slug}/', { event: '12' }, { event: slug(12, '12') }],
  ['/events/{event:slug}/', { event: '12-' }, { event: slug(12, '12-') }],
  ['/events/{event:slug}/', { event: '12-summer-fair' }, { event: slug(12, '12-summer-fair') }],
  ['/events/{event:slug}/', { event: '12fair' }, undefined],
  ['/events/{event:slug}/', { event: 'fair-12' }, undefined],
  ['/events/{event:slug}/', { event: '1000000000000000-fair' }, undefined],
  ['/calendar/{token}/', { token: '12' }, { token: '12' }],
  ['/shifts/{shift}/people/{id}/', { shift: '3', id: '4' }, { shift: 3, id: 4 }],
  ['/shifts/{shift}/people/{id}/', { shift: '3', id: 'x' }, undefined],
]
for (const [path, segments, values] of PAGES) {
  test(`a page at ${path} with ${JSON.stringify(segments)} ${values ? 'gets numbers' : 'is 404'}`, () => {
    if (values) assert.deepEqual(readPagePath(path, segments), values)
    else assert.throws(() => readPagePath(path, segments), isNotFound)
  })
}

const API: [text: string, id: number | undefined][] = [
  ['12', 12],
  ['012', 12],
  [' 12 ', 12],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['9007199254740992', undefined],
  ['0000000000000000000000012', 12],
  ['00000000000000000000000012', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['', undefined],
]
for (const [text, id] of API) {
  test(`the id "${text}" in an API path ${id === undefined ? 'is 404' : `is ${id}`}`, () => {
    if (id === undefined) assert.throws(() => readApiPath({ id: text }), isNotFound)
    else assert.deepEqual(readApiPath({ id: text, email: text }), { id, email: text })
  })
}
