import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { starterUuid } from '#features/accounts/qualifications/rules/starters.ts'
import { ANN, HELPERS, OLGA, PAUL, PLANNERS } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { getTemplate } from '../queries.ts'
import { type StarterGuard, takeStarter } from './starters.ts'
import { binTemplate, renameTemplate, useTemplate } from './templates.ts'

const STARTERS = '/planning/templates/starters/'

describe('templates to begin with', async () => {
  const { world, write, contextOf, eventRow, shiftsOf } = await openPlanning()
  const paul = contextOf(PAUL)
  const take = (starter: Parameters<typeof takeStarter>[1]['starter'] = 'drill', context = paul) =>
    takeStarter(context, { starter, language: 'en' })
  const chosen = { dates: ['2031-11-08'], faults: [], rule: undefined, singles: ['2031-11-08'], skipped: [] }
  const use = (id: number, typeId = 1) =>
    useTemplate(paul, { id, title: 'Drill', location: 'Station', typeId, chosen, isLinked: false })
  const count = async () => (await write.selectFrom('event_template').select('id').execute()).length
  const choose = (value: unknown) =>
    write
      .insertInto('setting')
      .values({ name: 'modules_chosen', value: JSON.stringify(value) })
      .onConflict((same) => same.column('name').doUpdateSet({ value: JSON.stringify(value) }))
      .execute()

  await world.grants(PAUL, 'add_event')

  beforeEach(async () => {
    await write.deleteFrom('event_template').execute()
    await write.deleteFrom('setting').where('name', '=', 'modules_chosen').execute()
  })

  test('become ordinary ones, which the log tells once', async () => {
    const { id, name, isNew } = await take()
    assert.deepEqual([name, isNew], ['Drill evening', true])
    const template = (await getTemplate(write, paul.actor, id))!
    assert.deepEqual(
      [template.name, template.description, template.content.title, template.users],
      [name, 'One evening for all active members.', name, []],
    )
    const entries = await write
      .selectFrom('journal')
      .select(['kind', 'changes'])
      .where('subject_kind', '=', 'event_template')
      .where('subject_id', '=', id)
      .execute()
    assert.deepEqual(entries, [{ kind: 'event_template.created', changes: { name: [null, name] } }])
    await renameTemplate(paul, { id, text: { name: 'Wednesday', description: '' } })
    assert.equal((await take()).isNew, true)
  })

  test('are there once, unless they are in the bin', async () => {
    const { id } = await take()
    assert.deepEqual(await take(), { id, name: 'Drill evening', isNew: false })
    await binTemplate(paul, { id, isBinned: true })
    assert.equal((await take()).isNew, true)
  })

  const takeTwice = async (guard?: StarterGuard) =>
    (await Promise.all([1, 2].map(() => takeStarter(paul, { starter: 'match', language: 'en' }, guard)))).filter(
      ({ isNew }) => isNew,
    )

  test('two taps at the same time make one', async () => {
    assert.equal((await takeTwice()).length, 1)
    assert.equal(await count(), 1)
  })

  test('without the lock, they make two', async () => {
    let arrived = 0
    const both = Promise.withResolvers<void>()
    const lock = async () => {
      arrived++
      if (arrived === 2) both.resolve()
      await both.promise
    }
    assert.equal((await takeTwice({ lock })).length, 2)
  })

  test('events made from them are for the groups and responsibles of their type', async () => {
    const { id } = await take()
    const types = await write.selectFrom('event_type').select(['id', 'title']).execute()
    assert.equal((await getTemplate(write, paul.actor, id))!.typeId, types.length === 1 ? types[0]!.id : null)
    await write
      .insertInto('event_type_default_group')
      .values({ event_type_id: 1, group_id: PLANNERS.id, role: 'responsible' })
      .execute()
    const [event] = (await use(id)).events
    const { title, location, active } = await eventRow(event!)
    assert.deepEqual([title, location, active], ['Drill', 'Station', false])
    const groups = await write
      .selectFrom('event_group_grant')
      .select(['group_id', 'permission'])
      .where('event_id', '=', event!)
      .orderBy('permission')
      .execute()
    assert.deepEqual(groups, [
      { group_id: PLANNERS.id, permission: 'change' },
      { group_id: HELPERS.id, permission: 'view' },
    ])
    const users = await write.selectFrom('event_user_grant').select('user_id').where('event_id', '=', event!).execute()
    assert.deepEqual(users, [{ user_id: PAUL.id }])
    const [shift] = await shiftsOf(event!)
    assert.deepEqual(
      [shift!.start_time.toISOString(), shift!.end_time.toISOString(), shift!.min_count],
      ['2031-11-08T18:00:00.000Z', '2031-11-08T20:30:00.000Z', 6],
    )
    assert.equal(
      shift!.signup_flow_configuration && (shift!.signup_flow_configuration as { signup_until: string }).signup_until,
      '2031-11-08T19:00:00+01:00',
    )
  })

  test('ask for the qualifications that the organisation took from the lists to begin with', async () => {
    const { id: emt } = await world.addQualification('EMT')
    await write
      .updateTable('qualification')
      .set({ uuid: starterUuid('emt') })
      .where('id', '=', emt)
      .execute()
    const [shift] = (await getTemplate(write, paul.actor, (await take('match')).id))!.content.shifts
    assert.deepEqual(shift!.structureConfiguration.qualification_requirements, [
      { qualification: emt, min_count: 1, max_count: 1 },
      { qualification: null, min_count: 2, max_count: 3 },
    ])
  })

  test('are refused to people who may not add events', async () => {
    await assert.rejects(async () => take('drill', contextOf(ANN)), { code: 'permission_denied' })
    const ann = await browserOf(world, ANN)
    assert.equal((await ann.get(STARTERS)).statusCode, 403)
    assert.equal(await count(), 0)
  })

  test('are offered where there is no template yet, those of the own kind first', async () => {
    const browser = await browserOf(world, PAUL)
    const names = (body: string) => [...body.matchAll(/aria-label="Use this template: ([^"]+)"/g)].map(([, name]) => name)
    const all = (await browser.get('/planning/templates/')).body
    assert.match(all, /You have no template yet\./)
    assert.equal(names(all).length, 15)
    assert.match(all, /<h2>Medical service<\/h2>/)
    await choose(true)
    assert.doesNotMatch((await browser.get('/planning/templates/')).body, /<details class="more-fields">/)
    await choose('festival')
    const body = (await browser.get('/planning/templates/')).body
    const [own, others] = body.split('<details class="more-fields">') as [string, string]
    assert.deepEqual(names(own), ['Build-up day', 'Festival day', 'Tear-down day'])
    assert.equal(names(others).length, 12)
    assert.doesNotMatch(body, /<h2>Festival or conference<\/h2>/)
  })

  test('one tap leads to the day and the place of the first event', async () => {
    const browser = await browserOf(world, PAUL)
    await browser.get(STARTERS)
    assert.equal((await browser.post(STARTERS, { form: { starter: 'unknown' } })).statusCode, 422)
    const { headers } = await browser.post(STARTERS, { form: { starter: 'drill' } })
    const at = headers.location as string
    assert.match(at, /^\/planning\/templates\/\d+\/use\/$/)
    const form = (await browser.get(at)).body
    assert.match(form, /Drill evening is one of your templates now\./)
    // The first Wednesday that is a week away.
    const wednesday = /value="(\d{4}-\d\d-\d\d)"/.exec(/<input[^>]*name="first"[^>]*>/.exec(form)![0])?.[1]
    assert.equal(new Date(`${wednesday}T12:00:00Z`).getUTCDay(), 3)
    const values = { title: 'Drill', type: '1', first: '2031-12-03', every: 'once', do: 'make' }
    for (const location of ['', 'x'.repeat(255)])
      assert.equal((await browser.post(at, { form: { ...values, location } })).statusCode, 422)
    assert.match(
      (await browser.post(at, { form: { ...values, location: 'Station' } })).headers.location as string,
      /^\/events\/\d+/,
    )
    const list = (await browser.get('/planning/templates/')).body
    assert.match(list, /href="\/planning\/templates\/starters\/"/)
    assert.match((await browser.get(STARTERS)).body, /Drill evening <span class="badge tone-quiet">yours already/)
    await browser.post(STARTERS, { form: { starter: 'drill' } })
    assert.match((await browser.get(at)).body, /You have this template already\./)
  })

  test('the first event type of an organisation is created by whoever may do that', async () => {
    await sql`delete from event`.execute(write)
    await sql`delete from event_type`.execute(write)
    const { id } = await take()
    assert.equal((await getTemplate(write, paul.actor, id))!.typeId, null)
    const browser = await browserOf(world, PAUL)
    assert.match((await browser.get(`/planning/templates/${id}/use/`)).body, /There is no event type yet/)
    const { id: other } = await take('match', contextOf(OLGA, ['add_event', 'add_event_type']))
    const [type] = await write.selectFrom('event_type').selectAll().execute()
    assert.match(
      (await browser.get(`/planning/templates/${id}/use/`)).body,
      /<select[^>]*name="type"[^>]*><option value=""[^>]*>Choose/,
    )
    assert.deepEqual([type!.title, (await getTemplate(write, paul.actor, other))!.typeId], ['First aid duty', type!.id])
    const entries = write.selectFrom('journal').select('changes').where('kind', '=', 'event_type.created')
    assert.deepEqual(await entries.execute(), [{ changes: { title: 'First aid duty' } }])
  })
})
