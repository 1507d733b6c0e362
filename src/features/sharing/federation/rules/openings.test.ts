import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partnerEventHref } from './openings.ts'

test('visits are noted only for partners that do not tell us where our people stand', () => {
  const href = 'https://north.example/events/5/'
  assert.equal(partnerEventHref({ id: 7, href, isSilent: false }), href)
  assert.equal(partnerEventHref({ id: 7, href, isSilent: true }), '/events/external/7/open/')
})
