import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import type { Answer } from '#test/support/api-response.ts'
import { HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { GUARD } from '../commands/blocks.ts'

const mistakes = ({ body }: Answer) =>
  body.errors.map(({ pointer, code }: { pointer?: string; code: string }) => [pointer, code].filter(Boolean).join(' '))

describe('building blocks are written by the API', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, 'PUBLIC_READ', 'PUBLIC_WRITE')
  const { id: radio } = await world.addQualification('Radio')
  const make = async (more: object = {}) => {
    const body = { name: 'Ambulance', block_type: 'atomic', positions: [{ label: 'Driver', qualifications: [radio] }], ...more }
    const answer = await olga.post('/api/buildingblocks/', body)
    assert.equal(answer.status, 201, answer.text)
    return { id: answer.body.id as number, path: `/api/buildingblocks/${answer.body.id}/`, ...answer }
  }
  const lastKind = async () =>
    (await world.db.read.selectFrom('journal').select('kind').orderBy('id', 'desc').limit(1).executeTakeFirst())?.kind

  test('an atomic and a composite block are created', async () => {
    const { path, body, headers } = await make()
    assert.equal(headers.location, `https://a.example${path}`)
    const read = await olga.get(path)
    assert.deepEqual([read.body, read.headers.etag, await lastKind()], [body, headers.etag, 'building_block.created'])
    const composite = await make({
      block_type: 'composite',
      positions: undefined,
      sub_compositions: [{ sub_block: body.uuid, label: 'First' }, { sub_block: body.uuid.toUpperCase() }],
      qualification_requirements: [{ qualifications: [radio], at_least: 1 }],
    })
    assert.deepEqual(
      composite.body.sub_compositions.map(({ label, sub_block }: Record<string, string>) => [label, sub_block]),
      [
        ['First', body.uuid],
        ['', body.uuid],
      ],
    )
    assert.equal(composite.body.qualification_requirements[0].at_least, 1)
  })

  test('rows keep their ids, and absent keys stay', async () => {
    const { path, headers, body } = await make({ qualification_requirements: [{ qualifications: [radio], everyone: true }] })
    const [driver] = body.positions
    const positions = [driver, { label: 'Trainee', optional: true }]
    const changed = await olga.patch(path, { positions }, headers.etag!)
    assert.equal(changed.status, 200)
    assert.deepEqual([changed.body.positions[0], changed.body.positions.length], [driver, 2])
    assert.deepEqual(changed.body.qualification_requirements, body.qualification_requirements)
    assert.equal(await lastKind(), 'building_block.changed')
    assert.equal((await olga.patch(path, { name: 'B' }, headers.etag!)).status, 412)
    assert.equal((await olga.send('PATCH', path, { name: 'B' })).status, 428)
    assert.equal((await olga.patch(path, { name: 'B' }, '*', { query: 'dry_run=1' })).status, 200)
    assert.equal((await olga.get(path)).body.name, 'Ambulance')
  })

  test('all values of a block are stored; each key of a change leaves the others as they are', async () => {
    const { id: swim } = await world.addQualification('Swimming')
    const row = { label: 'Driver', optional: true, qualifications: [radio, swim, radio] }
    const need = { qualifications: [swim], everyone: false, at_least: 1 }
    const parts = { allow_more: true, positions: [row, {}], qualification_requirements: [need] }
    const { path, body } = await make({ name: ' Boat ', ...parts })
    const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)
    const [first, second] = ids(body.positions)
    const boat = {
      id: body.id,
      uuid: body.uuid,
      name: 'Boat',
      block_type: 'atomic',
      allow_more: true,
      positions: [
        { ...row, id: first, qualifications: [radio, swim] },
        { id: second, label: '', optional: false, qualifications: [] },
      ],
      sub_compositions: [],
      qualification_requirements: [{ ...need, id: ids(body.qualification_requirements)[0] }],
    }
    assert.deepEqual(body, boat)
    const patch = async (at: string, more: object) => {
      const answer = await olga.patch(at, more, '*')
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    assert.deepEqual(await patch(path, { name: 'Ship' }), { ...boat, name: 'Ship' })
    assert.deepEqual(await patch(path, { allow_more: false }), { ...boat, name: 'Ship', allow_more: false })
    const all = { ...boat.qualification_requirements[0]!, everyone: true, at_least: 0 }
    const changed = { ...boat, name: 'Ship', allow_more: false, qualification_requirements: [all] }
    assert.deepEqual(await patch(path, { qualification_requirements: [all] }), changed)
    const kept = { ...changed, positions: [boat.positions[1]!] }
    assert.deepEqual(await patch(path, { positions: kept.positions }), kept)

    const { body: fleet } = await make({
      block_type: 'composite',
      positions: undefined,
      sub_compositions: [{ sub_block: body.uuid, label: 'First', optional: true }, { sub_block: body.uuid }],
      qualification_requirements: [{ qualifications: [radio], everyone: true }],
    })
    const [a, b] = ids(fleet.sub_compositions)
    const whole = {
      id: fleet.id,
      uuid: fleet.uuid,
      name: 'Ambulance',
      block_type: 'composite',
      allow_more: false,
      positions: [],
      sub_compositions: [
        { id: a, label: 'First', optional: true, sub_block: body.uuid },
        { id: b, label: '', optional: false, sub_block: body.uuid },
      ],
      qualification_requirements: [
        { id: ids(fleet.qualification_requirements)[0], qualifications: [radio], everyone: true, at_least: 0 },
      ],
    }
    assert.deepEqual(fleet, whole)
    const at = `/api/buildingblocks/${fleet.id}/`
    assert.deepEqual(await patch(at, { name: 'Fleet', allow_more: false }), { ...whole, name: 'Fleet' })
    const one = { ...whole, name: 'Fleet', sub_compositions: [whole.sub_compositions[1]!] }
    assert.deepEqual(await patch(at, { sub_compositions: one.sub_compositions }), one)
    assert.deepEqual(await patch(at, { qualification_requirements: [] }), { ...one, qualification_requirements: [] })
    assert.deepEqual((await olga.get(path)).body, kept, 'the block inside of it')
  })

  test('a change while another one is written is to be sent again, unless it is for any version', async () => {
    const isWaiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db.read)
      return rows[0]!.count > 0
    }
    const late = async (path: string, id: number, version: string) => {
      let isDone = false
      const { answer } = await transact(world.db.write, async (tx) => {
        await GUARD.lock(tx)
        const answer = olga.patch(path, { name: 'Late' }, version).finally(() => {
          isDone = true
        })
        while (!isDone && !(await isWaiting()));
        await tx.updateTable('building_block').set({ name: 'First' }).where('id', '=', id).execute()
        return { answer }
      })
      const { status, body, headers } = await answer
      return [status, body.code, headers['retry-after'], (await olga.get(path)).body.name]
    }
    const { id, path, headers } = await make()
    assert.deepEqual(await late(path, id, headers.etag!), [409, 'conflict', '1', 'First'])
    assert.deepEqual(await late(path, id, '*'), [200, undefined, undefined, 'Late'])
  })

  test('mistakes have the codes of the editor and pointers', async () => {
    const { body, path } = await make()
    const post = async (more: object) => mistakes(await olga.post('/api/buildingblocks/', { block_type: 'atomic', ...more }))
    assert.deepEqual(await post({ name: ' ', positions: [{ label: 'x'.repeat(256), qualifications: [999] }] }), [
      '/name name_missing',
      '/positions/0/label too_long',
      '/positions/0/qualifications unknown_qualification',
    ])
    assert.deepEqual(await post({ name: 'A', qualification_requirements: [{ qualifications: [radio], at_least: 0 }] }), [
      '/positions no_positions',
      '/qualification_requirements/0/at_least at_least_wrong',
    ])
    const stranger = '00000000-0000-4000-8000-000000000000'
    assert.deepEqual(await post({ name: 'A', block_type: 'composite', sub_compositions: [{ sub_block: stranger }] }), [
      '/sub_compositions/0/sub_block unknown_block',
    ])
    assert.deepEqual(mistakes(await olga.patch(path, { sub_compositions: [] }, '*')), ['/sub_compositions other_kind'])
    const long = [{ label: 'x'.repeat(256), sub_block: body.uuid }]
    assert.deepEqual(await post({ name: 'A', block_type: 'composite', sub_compositions: long }), [
      '/sub_compositions/0/label too_long',
    ])
    assert.deepEqual(await post({ name: 'A', block_type: 'composite' }), ['/sub_compositions no_parts'])
    const nobody = [{ qualifications: [], at_least: 1 }]
    assert.deepEqual(await post({ name: 'A', positions: [{}], qualification_requirements: nobody }), [
      '/qualification_requirements/0/qualifications requirement_empty',
    ])
    const outer = await make({ block_type: 'composite', positions: undefined, sub_compositions: [{ sub_block: body.uuid }] })
    assert.deepEqual(mistakes(await olga.patch(outer.path, { positions: [], allow_more: true }, '*')), [
      '/positions other_kind',
      '/allow_more other_kind',
    ])
    const own = [{ sub_block: outer.body.uuid }]
    assert.deepEqual(mistakes(await olga.patch(outer.path, { sub_compositions: own }, '*')), ['/sub_compositions cycle'])
  })

  test('a block that shifts use is changed and deleted only with a confirmation', async () => {
    const { id, path } = await make()
    const configuration = { starting_blocks: [{ uuid: 'a', building_block: id, label: '', optional: false }] }
    const event = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
    await world.db.write
      .updateTable('shift')
      .set({ structure_slug: 'complex', structure_configuration: JSON.stringify(configuration) })
      .where('id', '=', event.shifts[0]!)
      .execute()
    for (const refused of [await olga.patch(path, { name: 'B' }, '*'), await olga.delete(path, '*')])
      assert.deepEqual([refused.status, mistakes(refused)], [409, ['/confirm_shifts unseen_shifts']])
    assert.equal((await olga.patch(path, { name: 'B', confirm_shifts: true }, '*')).body.name, 'B')
    const { headers } = await olga.get(path)
    const gone = await olga.send('DELETE', path, { confirm_shifts: true }, { headers: { 'if-match': headers.etag! } })
    assert.deepEqual([gone.status, await olga.status(path), await lastKind()], [204, 404, 'building_block.deleted'])
  })
})
