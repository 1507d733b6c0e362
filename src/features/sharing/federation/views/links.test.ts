import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf } from './links.ts'

test('a partner is named by its host, and by what was imported if that is no address', () => {
  assert.equal(hostOf('https://north.example:8443/'), 'north.example:8443')
  assert.equal(hostOf('north'), 'north')
  assert.equal(hostOf(''), '')
})
