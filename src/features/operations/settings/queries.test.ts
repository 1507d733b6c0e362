import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { NOW, openWorld } from '#test/support/world.ts'
import { getBranding, getLogo, getWorkerState } from './queries.ts'

describe('what every page and the page of the server read', async () => {
  const world = await openWorld()
  const { write } = world.db
  const set = (values: Record<string, unknown>) =>
    write
      .insertInto('setting')
      .values(Object.entries(values).map(([name, value]) => ({ name, value: JSON.stringify(value) })))
      .execute()
  beforeEach(async () => {
    await write.deleteFrom('setting').execute()
  })

  const NOTHING = { name: undefined, logoVersion: undefined, hasImprint: false, hasPrivacy: false }
  const CASES: [what: string, settings: Record<string, unknown>, expected: object][] = [
    ['nothing', {}, {}],
    ['a name', { organization_name: ' Red Cross ' }, { name: 'Red Cross' }],
    ['an empty name', { organization_name: '' }, {}],
    ['a blank name', { organization_name: '  ' }, {}],
    ['a name that is no text', { organization_name: 7 }, {}],
    ['a logo', { logo_version: 'v1' }, { logoVersion: 'v1' }],
    ['legal texts', { imprint: 'We', privacy: 'You' }, { hasImprint: true, hasPrivacy: true }],
    ['an imprint only', { imprint: 'We', privacy: '' }, { hasImprint: true }],
    ['another setting', { time_zone: 'Europe/Berlin' }, {}],
  ]
  for (const [what, settings, expected] of CASES)
    test(`the branding of ${what}`, async () => {
      if (Object.keys(settings).length) await set(settings)
      assert.deepEqual(await getBranding(write), { ...NOTHING, ...expected })
    })

  test('a logo is found by its version only', async () => {
    await set({ logo: { type: 'image/png', data: Buffer.from('png').toString('base64'), version: 'v2' } })
    assert.deepEqual(await getLogo(write, 'v2'), { contentType: 'image/png', content: Buffer.from('png') })
    assert.equal(await getLogo(write, 'v1'), undefined)
  })

  test('the worker: what is due and not begun waits; what failed for good does not', async () => {
    await sql`delete from graphile_worker._private_jobs`.execute(write)
    const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
    const add = async (run_at: Date, more: { attempts?: number; locked?: boolean } = {}) => {
      const { rows } = await sql<{ id: string }>`
        select (graphile_worker.add_job('test', '{}'::json, run_at => ${run_at}::timestamptz, max_attempts => 3)).id::text as id`.execute(
        write,
      )
      await sql`update graphile_worker._private_jobs set attempts = ${more.attempts ?? 0},
        locked_at = ${more.locked ? NOW : null}::timestamptz where id = ${rows[0]!.id}::bigint`.execute(write)
    }
    const state = async () => {
      const { megabytes, ...rest } = await getWorkerState(write, NOW)
      assert.ok(megabytes > 0)
      return rest
    }
    assert.deepEqual(await state(), { waiting: 0, oldest: null, failed: 0 })
    await add(at(1))
    await add(at(-60), { locked: true })
    await add(at(-50), { attempts: 3 })
    assert.deepEqual(await state(), { waiting: 0, oldest: null, failed: 1 })
    await add(at(0))
    await add(at(-5), { attempts: 2 })
    await add(at(-2))
    assert.deepEqual(await state(), { waiting: 3, oldest: at(-5), failed: 1 })
  })
})
