import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { BUNDLES } from '#platform/auth/permissions.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const PATTERNS = '/manage/groups/patterns/'

describe('groups by a pattern', async () => {
  const world = await openWorld({ empty: true })
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const admin = await browserOf(world, stella)
  await sql`delete from user_group`.execute(world.db.write)
  await world.addGroup('Board', [stella], [...BUNDLES.management])

  /** By name: what it may do, and for whom it may publish. */
  const stored = async () => {
    const { rows } = await sql<{ name: string; may: string[]; publish: string[] }>`
      select g.name, array(select p.permission from group_permission p where p.group_id = g.id order by 1) as may,
        array(select t.name from group_grant r join user_group t on t.id = r.target_group_id where r.group_id = g.id order by 1) as publish
      from user_group g where g.name <> 'Board' order by g.id`.execute(world.db.read)
    return Object.fromEntries(rows.map(({ name, may, publish }) => [name, [may.join(), publish.join()]]))
  }
  const tickedIn = (body: string) =>
    [...body.matchAll(/<input [^>]*name="groups"[^>]*>/g)]
      .filter(([box]) => / checked/.test(box) && !/ disabled/.test(box))
      .map(([box]) => /value="(\w+)"/.exec(box)![1]!)
  const create = (pattern: string, groups: string[]) => admin.post(PATTERNS, { form: { pattern, groups } })

  test('are offered with what each group may do, and existing ones as such', async () => {
    const list = await admin.get(PATTERNS)
    assert.deepEqual(checkMarkup(list.body), [])
    assert.match(list.body, /<b>Youth leaders<\/b>: plans events for Youth group/)
    assert.match((await admin.get('/manage/groups/')).body, /href="\/manage\/groups\/patterns\/"/)
    const { body } = await admin.get(`${PATTERNS}?pattern=youth`)
    assert.deepEqual(checkMarkup(body), [])
    assert.deepEqual(tickedIn(body), ['members', 'youth', 'youth_leaders', 'planners'])
    assert.match(body, /Administrators.*exists already/s)
  })

  test('are created with their rights, without those that are left out', async () => {
    await admin.get(`${PATTERNS}?pattern=youth`)
    assert.equal((await create('youth', ['members', 'youth_leaders', 'planners', 'administrators'])).statusCode, 303)
    assert.match((await admin.get('/manage/groups/')).body, /New: Members, Youth leaders and Planners\. Now add people\./)
    const planning = 'add_event,delete_event'
    const expected = { Members: ['', ''], 'Youth leaders': [planning, ''], Planners: [planning, 'Members'] }
    assert.deepEqual(await stored(), expected)
  })

  test('are left alone when the pattern is used again', async () => {
    await sql`delete from group_permission where group_id = (select id from user_group where name = 'Planners')`.execute(
      world.db.write,
    )
    const before = await stored()
    const { body } = await admin.get(`${PATTERNS}?pattern=youth`)
    assert.deepEqual(tickedIn(body), ['youth'])
    await create('youth', ['members', 'youth', 'youth_leaders', 'planners', 'administrators'])
    assert.deepEqual(await stored(), { ...before, 'Youth group': ['', ''] })
    assert.match((await admin.get(`${PATTERNS}?pattern=youth`)).body, /You have all groups of this pattern already\./)
    await create('youth', ['youth'])
    assert.match((await admin.get('/manage/groups/')).body, /No group was created\./)
  })

  test('are for those who may add groups', async () => {
    const ann = await browserOf(world, await world.addPerson({ name: ANN.name }))
    assert.equal((await ann.get(PATTERNS)).statusCode, 403)
    assert.equal((await ann.post(PATTERNS, { form: { pattern: 'simple', groups: ['members'] } })).statusCode, 403)
  })
})
