import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { tasksOf } from '#platform/features/compose.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

describe('the page of modules', async () => {
  const world = await openWorld()
  const { db } = world
  const olga = await browserOf(world, OLGA)
  const stored = async () =>
    (await db.read.selectFrom('setting').select('value').where('name', '=', 'modules').executeTakeFirst())?.value as
      | string[]
      | undefined
  const kind = async () =>
    (await db.read.selectFrom('setting').select('value').where('name', '=', 'modules_chosen').executeTakeFirst())?.value
  const changes = async () =>
    (
      await db.read.selectFrom('journal').select('changes').where('kind', '=', 'instance.modules_changed').orderBy('id').execute()
    ).map((row) => row.changes)
  const send = async (form: Record<string, string>) => {
    await olga.get('/manage/modules/')
    return olga.post('/manage/modules/switch/', { form })
  }
  const shown = async (browser = olga) => (await browser.get('/manage/modules/')).body

  beforeEach(async () => {
    await db.write.deleteFrom('setting').where('name', 'in', ['modules', 'modules_chosen']).execute()
    await db.write.deleteFrom('journal').where('kind', '=', 'instance.modules_changed').execute()
  })

  test('shows each with what it is, who sees it and what exists', async () => {
    const body = await shown()
    assert.equal(body.match(/class="module"/g)?.length, 24)
    assert.equal(
      body.match(/<img src="\/help\/images\/en\/module-\w+\.webp" alt="What it looks like: [^"]+" width="480" height="300"/g)
        ?.length,
      24,
    )
    assert.match(body, /24 of 24 modules are on/)
    assert.match(body, /Everybody who sees the event can open them\./)
    assert.match(body, /Nothing stored yet\./)
    assert.match(body, /Without it, Stand-ins and swaps is switched off as well\./)
  })

  test('remembers that somebody has chosen', async () => {
    assert.equal(await kind(), undefined)
    await send({ modules: 'files', to: 'off' })
    assert.equal(await kind(), true)
  })

  test('switches one off and on again, with an entry in the log and a way back', async () => {
    const off = await send({ modules: 'files', to: 'off' })
    assert.equal(off.statusCode, 303)
    const body = await shown()
    assert.match(body, /Files is off\. Everything stored stays and returns with it\./)
    assert.match(body, /<input type="hidden" name="modules" value="files"><input type="hidden" name="to" value="on">/)
    assert.match(body, /23 of 24 modules are on/)
    assert.equal((await olga.get('/manage/files/')).statusCode, 404)
    assert.equal((await stored())!.includes('files'), false)
    await send({ modules: 'files', to: 'on', undo: '1' })
    assert.match(await shown(), /Undone\./)
    assert.equal((await olga.get('/manage/files/')).statusCode, 200)
    assert.deepEqual(await changes(), [{ 'module.files': [true, false] }, { 'module.files': [false, true] }])
    assert.match((await olga.get('/manage/log/')).body, /Files:/)
  })

  test('a page that is off says so', async () => {
    await send({ modules: 'files', to: 'off' })
    assert.match((await olga.get('/manage/files/')).body, /does not use this part of Turnout at the moment/)
  })

  test('switches off what needs it, and undo brings both back', async () => {
    await send({ modules: 'waiting_list', to: 'off' })
    assert.match(await shown(), /Waiting lists is off, and Stand-ins and swaps, which needs it\./)
    const now = await stored()
    assert.deepEqual([now!.includes('waiting_list'), now!.includes('exchanges'), now!.length], [false, false, 22])
    await send({ modules: 'waiting_list exchanges', to: 'on', undo: '1' })
    assert.equal((await stored())!.length, 24)
  })

  test('switches on what it needs', async () => {
    await send({ modules: 'waiting_list', to: 'off' })
    await send({ modules: 'exchanges', to: 'on' })
    assert.match(await shown(), /Stand-ins and swaps is on, and Waiting lists, which it needs\./)
  })

  test('says that nothing has changed to the second of two administrators', async () => {
    await send({ modules: 'files', to: 'off' })
    await send({ modules: 'files', to: 'off' })
    assert.match(await shown(), /Nothing has changed/)
    assert.equal((await changes()).length, 1)
  })

  test('refuses a module that does not exist, and people who are not administrators', async () => {
    assert.equal((await send({ modules: 'no_such', to: 'off' })).statusCode, 404)
    const ann = await browserOf(world, ANN)
    for (const path of ['/manage/modules/', '/manage/modules/start/']) assert.equal((await ann.get(path)).statusCode, 403)
    assert.equal((await ann.post('/manage/modules/switch/', { form: { modules: 'files', to: 'off' } })).statusCode, 403)
    assert.equal(await stored(), undefined)
  })

  test('begins with a kind of organisation, whose list can be changed', async () => {
    assert.match((await olga.get('/manage/modules/start/')).body, /href="\/manage\/modules\/start\/\?kind=brigade"/)
    const { body } = await olga.get('/manage/modules/start/?kind=brigade')
    const ticked = [...body.matchAll(/<input [^>]*name="modules"[^>]*>/g)]
      .filter(([box]) => / checked/.test(box))
      .map(([box]) => /value="(\w+)"/.exec(box)![1]!)
    assert.deepEqual(
      ticked.includes('check_in') && ticked.includes('waiting_list') && !ticked.includes('guests'),
      true,
      ticked.join(),
    )
    const form = { kind: 'brigade', modules: ['files', 'guests'] }
    assert.equal((await olga.post('/manage/modules/start/', { form })).statusCode, 303)
    assert.deepEqual((await stored())!.toSorted(), ['files', 'guests'])
    assert.match(await shown(), /2 modules are on\./)
    assert.equal(await kind(), 'brigade')
    await send({ modules: 'guests', to: 'off' })
    assert.equal(await kind(), 'brigade')
    await olga.get('/manage/modules/start/?kind=other')
    assert.equal((await olga.post('/manage/modules/start/', { form: { kind: 'other' } })).statusCode, 303)
    assert.deepEqual(await stored(), [])
  })

  test('settings of a module that is off keep their values', async () => {
    await send({ modules: 'guests', to: 'off' })
    await db.write
      .insertInto('setting')
      .values({ name: 'guest_retention_days', value: '77' })
      .onConflict((same) => same.column('name').doUpdateSet({ value: '77' }))
      .execute()
    const page = (await olga.get('/manage/instance/')).body
    assert.doesNotMatch(page, /guest_retention_days/)
    await olga.post('/manage/instance/', { form: { organization_name: 'Watch' } })
    const rows = await db.read
      .selectFrom('setting')
      .select(['name', 'value'])
      .where('name', 'in', ['guest_retention_days', 'organization_name'])
      .orderBy('name')
      .execute()
    assert.deepEqual(
      rows.map(({ value }) => value),
      [77, 'Watch'],
    )
  })
})

test('jobs of a module that is off do not run, and others do', async () => {
  const ran: string[] = []
  const feature = (name: 'files' | 'guests', isAlwaysOn?: true) => ({
    name,
    uses: [],
    module: { name, icon: 'puzzle' as const, presets: [], countUses: () => undefined as never },
    tasks: () => [{ name, run: async () => void ran.push(name), ...(isAlwaysOn && { isAlwaysOn }) }],
  })
  const on = new Set(['files'])
  const runtime = {
    features: [feature('files'), feature('guests')],
    modules: { refresh: async () => void ran.push('refresh') },
    site: { added: () => [...on].map((name) => ({ name })) },
    db: { read: undefined },
  }
  const tasks = tasksOf(runtime as never).filter(({ name }) => name === 'files' || name === 'guests')
  for (const { run } of tasks) await run({})
  assert.deepEqual(ran, ['refresh', 'files', 'refresh'])
})
