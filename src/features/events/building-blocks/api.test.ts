import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addPerson, addToken, ask, openTestApp, type TestApp } from '#test/support/federation-setup.ts'
import { loadBlocks } from './queries.ts'
import { buildingBlockRecord } from './schema.ts'

const CAR = '0b9d2c1e-6a4f-4e0b-8c3d-5f2a7e9b1c60'
const TRAIN = '1c4f7a2e-5b60-4d3c-8e9f-0a1b2c3d4e5f'

describe('building blocks in the API', () => {
  let testApp: TestApp
  let token: string

  before(async () => {
    testApp = await openTestApp()
    const ann = await addPerson(testApp, 'Ann')
    token = await addToken(testApp, ann, 'PUBLIC_READ')
    const { write } = testApp.db
    await write.insertInto('qualification_category').values({ id: 1, title: 'Medical' }).execute()
    await write
      .insertInto('qualification')
      .values([3, 5, 9].map((id) => ({ id, title: `Q${id}`, category_id: 1 })))
      .execute()
    await write
      .insertInto('building_block')
      .values([
        { id: 20, uuid: TRAIN, name: 'Train', block_type: 'composite' },
        { id: 4, uuid: CAR, name: 'Ambulance', block_type: 'atomic', allow_more: true },
      ])
      .execute()
    await write
      .insertInto('block_position')
      .values([
        { id: 8, block_id: 4, label: 'Trainee', optional: true },
        { id: 7, block_id: 4, label: 'Driver' },
      ])
      .execute()
    await write
      .insertInto('block_position_qualification')
      .values([9, 3].map((qualification_id) => ({ position_id: 7, qualification_id })))
      .execute()
    await write
      .insertInto('block_composition')
      .values([
        { id: 31, block_id: 20, sub_block_id: 4, label: 'Second', optional: true },
        { id: 30, block_id: 20, sub_block_id: 4, label: 'First' },
      ])
      .execute()
    await write
      .insertInto('block_requirement')
      .values([
        { id: 41, block_id: 20, everyone: true },
        { id: 40, block_id: 20, at_least: 2 },
      ])
      .execute()
    await write
      .insertInto('block_requirement_qualification')
      .values([5, 3].map((qualification_id) => ({ requirement_id: 40, qualification_id })))
      .execute()
  })
  after(() => testApp.close())

  const AMBULANCE = {
    id: 4,
    uuid: CAR,
    name: 'Ambulance',
    block_type: 'atomic',
    sub_compositions: [],
    allow_more: true,
    qualification_requirements: [],
    positions: [
      { id: 7, label: 'Driver', optional: false, qualifications: [3, 9] },
      { id: 8, label: 'Trainee', optional: true, qualifications: [] },
    ],
  }
  const WHOLE_TRAIN = {
    id: 20,
    uuid: TRAIN,
    name: 'Train',
    block_type: 'composite',
    sub_compositions: [
      { id: 30, label: 'First', optional: false, sub_block: CAR },
      { id: 31, label: 'Second', optional: true, sub_block: CAR },
    ],
    allow_more: false,
    qualification_requirements: [
      { id: 40, qualifications: [3, 5], everyone: false, at_least: 2 },
      { id: 41, qualifications: [], everyone: true, at_least: 0 },
    ],
    positions: [],
  }

  test('are listed by id with all keys in order', async () => {
    const answer = await ask(testApp, '/api/buildingblocks/', { token })
    assert.equal(answer.statusCode, 200)
    const page = { count: 2, next: null, previous: null, results: [AMBULANCE, WHOLE_TRAIN] }
    assert.equal(answer.body, JSON.stringify(page))
    for (const result of answer.json().results) buildingBlockRecord.parse(result)
  })

  test('every page contains the total count, also beyond the end', async () => {
    const second = (await ask(testApp, '/api/buildingblocks/?limit=1&offset=1', { token })).json()
    assert.deepEqual([second.count, second.results, second.next], [2, [WHOLE_TRAIN], null])
    const beyond = (await ask(testApp, '/api/buildingblocks/?offset=9', { token })).json()
    assert.deepEqual([beyond.count, beyond.results], [2, []])
  })

  test('one is returned by its id, also with the format suffix', async () => {
    for (const path of ['/api/buildingblocks/20/', '/api/buildingblocks/020/', '/api/buildingblocks/20.json']) {
      assert.equal((await ask(testApp, path, { token })).body, JSON.stringify(WHOLE_TRAIN), path)
    }
    for (const id of ['5', 'abc', '99999999999999999999']) {
      assert.equal((await ask(testApp, `/api/buildingblocks/${id}/`, { token })).statusCode, 404, id)
    }
  })

  test('require the scope PUBLIC_READ', async () => {
    const other = await addToken(testApp, await addPerson(testApp, 'Ben'), 'ME_READ')
    assert.equal((await ask(testApp, '/api/buildingblocks/')).statusCode, 401)
    assert.equal((await ask(testApp, '/api/buildingblocks/', { token: other })).statusCode, 403)
  })

  test('are loaded by id for the rules', async () => {
    const blocks = await loadBlocks(testApp.db.read)
    assert.deepEqual([...blocks.keys()], [4, 20])
    assert.deepEqual(blocks.get(20)?.compositions, [
      { id: 30, label: 'First', optional: false, subBlockId: 4, subBlockUuid: CAR },
      { id: 31, label: 'Second', optional: true, subBlockId: 4, subBlockUuid: CAR },
    ])
    assert.deepEqual(blocks.get(4)?.positions[0], { id: 7, label: 'Driver', optional: false, qualificationIds: [3, 9] })
    assert.deepEqual([...(await loadBlocks(testApp.db.read, [4])).keys()], [4])
  })
})
