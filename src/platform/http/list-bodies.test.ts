import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildList, forgetListBodies, keptList } from './list-bodies.ts'

const sent = (text: string) => ({ bytes: Buffer.from(text), etag: `W/"${text}"`, link: undefined })

test('requests at the same time share a page, and later ones get it from memory', async () => {
  const db = {}
  let builds = 0
  const build = (key: string) => buildList(db, key, async () => sent(`${key} ${++builds}`))
  const [one, two, other] = await Promise.all([build('a'), build('a'), build('b')])
  assert.equal(one, two)
  assert.deepEqual([one.bytes.toString(), other.bytes.toString()], ['a 1', 'b 2'])
  assert.equal(keptList(db, 'a'), one)
  assert.equal(keptList({}, 'a'), undefined)
  forgetListBodies(db)
  assert.equal(keptList(db, 'a'), undefined)
  assert.equal((await build('a')).bytes.toString(), 'a 3')
})
test('a page that could not be built is built again', async () => {
  const db = {}
  const away = () => Promise.reject(new Error('away'))
  await assert.rejects(Promise.all([buildList(db, 'a', away), buildList(db, 'a', away)]), /away/)
  assert.equal(keptList(db, 'a'), undefined)
  assert.equal((await buildList(db, 'a', async () => sent('back'))).bytes.toString(), 'back')
})
