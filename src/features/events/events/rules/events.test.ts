import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventPath, slugOf } from './slug.ts'
import { TYPE_COLOURS } from './type-colours.ts'

const SLUGS: [title: string, slug: string][] = [
  ['City Marathon', 'city-marathon'],
  ['Übung  am   Café', 'ubung-am-cafe'],
  ['a - b – c', 'a-b-c'],
  ['--Rock_am_Ring!--', 'rock_am_ring'],
  ['Fußball', 'fuball'],
  ['火', '7'],
  ['', '7'],
]
for (const [title, slug] of SLUGS) test(`the slug of “${title}” is ${slug}`, () => assert.equal(slugOf(title, 7), slug))

test('the path of an event has its id and slug', () => assert.equal(eventPath(7, 'City Marathon'), '/events/7-city-marathon/'))

test('suggested colours are different, and valid values of a colour field', () => {
  for (const colour of TYPE_COLOURS) assert.match(colour, /^#[0-9a-f]{6}$/)
  assert.equal(new Set(TYPE_COLOURS).size, TYPE_COLOURS.length)
})
