import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BUNDLES } from '#platform/auth/permissions.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { HELPERS } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { findStoredLimits } from './queries.ts'

describe('the pages of limits', async () => {
  const world = await openWorld()
  const staff = await browserOf(world, await world.addPerson({ name: 'Stella', isStaff: true }))
  const manager = await browserOf(world, await world.addPerson({ name: 'Mara', permissions: [...BUNDLES.management] }))
  const limits = async () =>
    (await findStoredLimits(world.db.read)).map(
      ({ kind, value, blocks, groupId }) => `${groupId ?? 'all'} ${kind} ${value}${blocks ? '!' : ''}`,
    )
  const ALL = '/manage/limits/all/'
  const GROUP = `/manage/limits/groups/${HELPERS.id}/`

  test('are for administrators only', async () => {
    for (const path of ['/manage/limits/', ALL, GROUP]) assert.equal((await manager.get(path)).statusCode, 403)
    assert.equal((await manager.post(ALL, { form: { rest_hours: '11' } })).statusCode, 403)
    assert.deepEqual(await limits(), [])
    const page = await staff.get('/manage/limits/')
    assert.match(page.body, /No limits are set/)
    assert.deepEqual(checkMarkup(page.body), [])
  })

  test('save limits for everyone and for a group, and record each change once', async () => {
    const form = { rest_hours: '11', hours_per_week: '40', hours_per_week_mode: 'refuse', minor_accompanied: 'refuse' }
    assert.equal((await staff.post(ALL, { form })).statusCode, 303)
    assert.equal((await staff.post(GROUP, { form: { rest_hours: '8', rest_hours_mode: 'refuse' } })).statusCode, 303)
    await staff.post(ALL, { form })
    assert.deepEqual(await limits(), [
      'all rest_hours 11',
      'all hours_per_week 40!',
      'all minor_accompanied 1!',
      `${HELPERS.id} rest_hours 8!`,
    ])
    const entries = await world.db.read.selectFrom('journal').selectAll().where('kind', '=', 'limits.changed').execute()
    assert.deepEqual(
      entries.map(({ subject_kind }) => subject_kind),
      ['instance', 'group'],
    )
    const page = (await staff.get('/manage/limits/')).body
    assert.match(page, /At least 11 hours of rest \(show a warning\)/)
    assert.match(page, /At most 40 hours per week \(refuse the sign-up\)/)
    assert.match((await staff.get(ALL)).body, /name="hours_per_week"[^>]*value="40"|value="40"[^>]*name="hours_per_week"/)
    assert.match((await staff.get('/manage/log/')).body, /changed the working time limits/)
  })

  test('take a limit away when its field is emptied, and keep the others', async () => {
    await staff.post(ALL, { form: { hours_per_week: '40', hours_per_week_mode: 'refuse' } })
    assert.deepEqual(await limits(), ['all hours_per_week 40!', `${HELPERS.id} rest_hours 8!`])
  })

  for (const [field, value] of [
    ['rest_hours', '73'],
    ['rest_hours', '-1'],
    ['hours_per_week', '1.5'],
    ['nights_in_row', '0'],
    ['minor_latest_hour', '24'],
    ['rest_hours_mode', 'sometimes'],
    ['minor_accompanied', 'perhaps'],
  ] as const)
    test(`refuse ${field} = ${value} at the field and keep what was typed`, async () => {
      const before = await limits()
      const page = await staff.post(ALL, { form: { hours_per_week: '12', [field]: value } })
      assert.equal(page.statusCode, 422)
      assert.match(page.body, new RegExp(`id="[^"]*${field}-error"`))
      assert.match(page.body, /name="hours_per_week"/)
      assert.deepEqual(await limits(), before)
    })

  test('answer 404 for a group that does not exist', async () => {
    assert.equal((await staff.get('/manage/limits/groups/999999/')).statusCode, 404)
    assert.equal((await staff.post('/manage/limits/groups/999999/', { form: { rest_hours: '8' } })).statusCode, 404)
  })

  test('forget the limits of a group that is deleted', async () => {
    const group = await world.addGroup('Short-lived', [])
    await staff.post(`/manage/limits/groups/${group.id}/`, { form: { rest_hours: '9' } })
    await world.db.write.deleteFrom('user_group').where('id', '=', group.id).execute()
    assert.ok(!(await limits()).some((limit) => limit.startsWith(`${group.id} `)))
  })
})
