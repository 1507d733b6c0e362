import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { OperatorError } from '#platform/operator-error.ts'
import { explainFullDisk, freeBytesOf } from './disk-space.ts'
import { formatError } from './format-error.ts'

const MB = 1024 * 1024
const LONG = new Error(
  'Could not create the database. Output of initdb: exit code 1\nThe files belonging …\nNo space left on device',
)

test('a start that failed on a full disk is explained in one line', () => {
  const text = formatError(explainFullDisk(LONG, { dataDir: '/data', freeBytes: 20 * MB + 5 }), {})
  assert.match(
    text,
    /^turnout: the database cannot start: 20 MB are free on the disk of \/data, and it needs \d+ MB\. .*exit code 1\)$/,
  )
})

test('other failures stay as they are', () => {
  assert.equal(explainFullDisk(LONG, { dataDir: '/data', freeBytes: 1000 * MB }), LONG)
  const known = new OperatorError('the port is taken')
  assert.equal(explainFullDisk(known, { dataDir: '/data', freeBytes: 0 }), known)
})

test('an unknown disk counts as empty', () => {
  assert.ok(freeBytesOf(tmpdir()) > 0)
  assert.equal(freeBytesOf('/nowhere/at/all'), Number.POSITIVE_INFINITY)
})
