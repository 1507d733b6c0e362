import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImportContext, makeUuid } from './import-context.ts'

const secrets = {
  hash: (text: string) => `\\x${Buffer.from(text.padEnd(32)).toString('hex')}`,
  hashClientSecret: String,
  seal: String,
  isKnownHash: () => true,
}
const makeContext = () => new ImportContext({ secrets, now: '2031-05-01T10:00:00.000Z', language: 'de' })

test('a missing, invalid or duplicate uuid is replaced by the same one in each import', () => {
  const uuid = 'a0000000-0000-4000-8000-000000000011'
  const context = makeContext()
  assert.equal(makeUuid(context, 'qualification', { id: 1, uuid: uuid.toUpperCase() }), uuid)
  assert.equal(makeUuid(context, 'qualificationcategory', { id: 1, uuid }), uuid, 'uuids are unique per table')
  assert.deepEqual(context.notes, [])
  const replaced = [
    { id: 2, uuid },
    { id: 3, uuid: null },
    { id: 4, uuid: 'x' },
  ].map((row) => makeUuid(context, 'qualification', row))
  for (const one of replaced) assert.match(one, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(new Set(replaced).size, 3)
  assert.equal(context.notes.length, 3)
  const again = makeContext()
  makeUuid(again, 'qualification', { id: 1, uuid })
  assert.equal(makeUuid(again, 'qualification', { id: 2, uuid }), replaced[0])
})

test('the context knows imported rows and used keys, and generates ids', () => {
  const context = makeContext()
  context.add('event', 1)
  assert.deepEqual(
    [context.has('event', 1), context.has('event', 2), context.has('shift', 1), context.has('event', '1')],
    [true, false, false, false],
  )
  assert.deepEqual([context.isFirst('a', 'bc'), context.isFirst('ab', 'c'), context.isFirst('a', 'bc')], [true, true, false])
  assert.deepEqual(context.generateId(1, 2), { id: 1, isNew: true })
  assert.deepEqual(context.generateId(2, 1), { id: 2, isNew: true })
  assert.deepEqual(context.generateId(1, 2), { id: 1, isNew: false })
  assert.deepEqual(context.generateId(12), { id: 3, isNew: true })
  assert.equal(context.isUnique('event', { id: 9 }, 1), true)
  assert.equal(context.isUnique('event', { id: 10 }, 1), false)
  assert.deepEqual(context.notes, [{ table: 'event', id: '10', outcome: 'skipped', reason: 'is a duplicate' }])
})

test('a row that refers to nothing is skipped', () => {
  const context = makeContext()
  assert.equal(context.hasReferences('shift', { id: 4 }, [['event', null]]), false)
  assert.deepEqual(context.notes, [
    { table: 'shift', id: '4', outcome: 'skipped', reason: 'refers to event (empty), which does not exist' },
  ])
})

test('a context begins without anything to report', () => {
  assert.deepEqual(makeContext().facts, {
    sharedAddresses: [],
    activeUsers: 0,
    usersWithoutPassword: 0,
    disabledApplications: [],
    hidesLocalSignIn: false,
  })
})
