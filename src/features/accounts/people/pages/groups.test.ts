import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { lockAdministration } from '#features/accounts/users/commands/locks.ts'
import { BUNDLES } from '#platform/auth/permissions.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { addMembers, changeGroup, deleteGroup } from '../commands/groups.ts'

const GROUPS = '/manage/groups/'

describe('managing groups', async () => {
  const world = await openWorld()
  const mara = await world.addPerson({ name: 'Mara' })
  const managers = await world.addGroup('Managers', [mara], [...BUNDLES.management])
  const looker = await world.addPerson({ name: 'Looker', permissions: ['view_group'] })
  const [manager, viewer, volunteer] = await Promise.all([mara, looker, ANN].map((who) => browserOf(world, who)))

  const permissionsOf = async (id: number) =>
    (
      await world.db.read
        .selectFrom('group_permission')
        .select('permission')
        .where('group_id', '=', id)
        .orderBy('permission')
        .execute()
    ).map(({ permission }) => permission)
  const grantsOf = (id: number) =>
    world.db.read
      .selectFrom('group_grant')
      .select(['target_group_id', 'permission'])
      .where('group_id', '=', id)
      .orderBy('permission')
      .orderBy('target_group_id')
      .execute()
  const make = async (form: Record<string, string | string[]>) => {
    const { headers } = await manager!.post(`${GROUPS}new/`, { form })
    return Number(/(\d+)\/members\/$/.exec(String(headers.location))![1])
  }

  test('shows and searches addresses of members only for people who may see them', async () => {
    const keeper = await browserOf(world, await world.addPerson({ name: 'Keeper', permissions: ['view_group', 'change_group'] }))
    const members = `${GROUPS}${HELPERS.id}/members/`
    const shown = (await keeper.get(members)).body
    assert.match(shown, /Ann/)
    assert.doesNotMatch(shown, /@a\.example/)
    assert.doesNotMatch((await keeper.get(`${members}?q=ann@a`)).body, /<span>Ann/)
    assert.match((await manager!.get(`${members}?q=ann@a`)).body, /<span>Ann<small>ann@a\.example/)
  })

  test('every page and action requires its permission', async () => {
    const helpers = `${GROUPS}${HELPERS.id}/`
    const TABLE: [method: 'get' | 'post', path: string, viewer: number, manager: number][] = [
      ['get', GROUPS, 200, 200],
      ['get', `${GROUPS}new/`, 403, 200],
      ['get', helpers, 200, 200],
      ['get', `${helpers}members/`, 403, 200],
      ['get', `${helpers}delete/`, 403, 200],
      ['post', `${GROUPS}new/`, 403, 422],
      ['post', helpers, 422, 422],
      ['post', `${helpers}members/add/`, 403, 303],
      ['post', `${helpers}members/remove/`, 403, 303],
    ]
    for (const [method, path, forViewer, forManager] of TABLE) {
      assert.equal((await volunteer![method](path)).statusCode, 403, `volunteer ${path}`)
      assert.equal((await viewer![method](path)).statusCode, forViewer, `viewer ${path}`)
      const answer = await manager![method](path)
      assert.equal(answer.statusCode, forManager, `manager ${path}`)
      if (method === 'get') assert.deepEqual(checkMarkup(answer.body), [], path)
    }
    assert.equal((await viewer!.post(helpers, { form: { name: 'Mine' } })).statusCode, 403)
    assert.equal((await viewer!.post(`${helpers}delete/`)).statusCode, 403)
    for (const id of ['0', '99999', 'x', '999999999999999999'])
      for (const what of ['', 'members/', 'delete/']) assert.equal((await manager!.get(`${GROUPS}${id}/${what}`)).statusCode, 404)
  })

  test('bundles become permissions, and permissions outside of bundles stay', async () => {
    const id = await make({ name: 'Crew', bundles: ['planning', 'blocks'] })
    assert.deepEqual(await permissionsOf(id), ['add_event', 'change_building_block', 'delete_event'])
    await world.grants({ kind: 'group', id, name: 'Crew', members: [] }, 'view_journal')
    await manager!.post(`${GROUPS}${id}/`, { form: { name: 'Crew 2', bundles: 'hr' } })
    assert.deepEqual(await permissionsOf(id), ['add_user', 'change_user', 'delete_user', 'view_journal', 'view_user'])
    assert.match((await manager!.get(`${GROUPS}${id}/`)).body, /Additional permissions: view_journal/)
    const entries = await journalOf(world, 'group', id)
    assert.deepEqual(entries.at(-1)!.changes, {
      name: ['Crew', 'Crew 2'],
      permissions: {
        added: ['add_user', 'change_user', 'delete_user', 'view_user'],
        removed: ['add_event', 'change_building_block', 'delete_event'],
      },
    })
    await manager!.post(`${GROUPS}${id}/`, { form: { name: 'Crew 2', bundles: 'hr' } })
    assert.equal((await journalOf(world, 'group', id)).length, entries.length)
  })

  test('refuses a taken name and unknown bundles and targets', async () => {
    for (const [form, says] of [
      [{ name: 'Helpers' }, /group with this name already exists/],
      [{ name: 'X', bundles: 'root' }, /One of these permissions does not exist/],
      [{ name: 'X', bundles: 'planning', publish_for: '99999' }, /no longer exists/],
      [{ name: ' ' }, /enter a name/],
      [{ name: 'X', decide_hours_for: 'abc' }, /check this value/],
    ] as const) {
      const answer = await manager!.post(`${GROUPS}new/`, { form })
      assert.equal(answer.statusCode, 422)
      assert.match(answer.body, says)
    }
    assert.equal((await manager!.post(`${GROUPS}${HELPERS.id}/`, { form: { name: 'Planners' } })).statusCode, 422)
    assert.ok(!(await manager!.get(GROUPS)).body.includes('>X<'))
  })

  test('publish targets are stored only for groups that can add events', async () => {
    const id = await make({
      name: 'Press',
      bundles: 'planning',
      publish_for: String(HELPERS.id),
      decide_hours_for: String(HELPERS.id),
    })
    assert.deepEqual(
      (await grantsOf(id)).map(({ permission }) => permission),
      ['decide_working_hours_for_group', 'publish_event_for_group'],
    )
    await manager!.post(`${GROUPS}${id}/`, {
      form: { name: 'Press', publish_for: String(HELPERS.id), decide_hours_for: String(HELPERS.id) },
    })
    assert.deepEqual(await grantsOf(id), [{ target_group_id: HELPERS.id, permission: 'decide_working_hours_for_group' }])
  })

  test('members are searched, added and removed, several at once', async () => {
    const id = await make({ name: 'Many' })
    const found = await manager!.get(`${GROUPS}${id}/members/?q=BEN`)
    assert.match(found.body, /id="add-4"/)
    assert.doesNotMatch(found.body, /id="add-1"/)
    await manager!.post(`${GROUPS}${id}/members/add/`, {
      form: { people: [ANN, BEN, PAUL].map((who) => String(who.id)).concat('99999') },
    })
    await manager!.post(`${GROUPS}${id}/members/remove/`, { form: { people: [String(BEN.id), String(OLGA.id)] } })
    const rows = await world.db.read.selectFrom('user_group_member').select('user_id').where('group_id', '=', id).execute()
    assert.deepEqual(rows.map(({ user_id }) => user_id).sort(), [ANN.id, PAUL.id])
    assert.deepEqual(
      (await journalOf(world, 'group', id)).slice(1).map(({ changes }) => changes),
      [{ members: { added: [1, 2, 4] } }, { members: { removed: [4] } }],
    )
  })

  test('the confirmation of a deletion lists members and events; events are hidden from former members', async () => {
    const id = await make({ name: 'Fleeting' })
    const fleeting = { kind: 'group' as const, id, name: 'Fleeting', members: [] }
    await manager!.post(`${GROUPS}${id}/members/add/`, { form: { people: String(BEN.id) } })
    await world.addEvent({ title: 'Alone fair', seenBy: [fleeting], shifts: [{}] })
    await world.addEvent({ title: 'Shared fair', seenBy: [fleeting, PLANNERS], shifts: [{}] })
    await world.addEvent({ title: 'Old fair', seenBy: [fleeting], shifts: [{ start: '2030-05-04T08:00:00Z' }] })
    const asked = (await manager!.get(`${GROUPS}${id}/delete/`)).body
    assert.match(
      asked,
      /1 member loses.*2 current or upcoming events.*Alone fair, Shared fair\..*1 of them is not visible to any other group/s,
    )
    assert.doesNotMatch(asked, /Old fair/)
    const titles = async () =>
      (await world.as(BEN, 'PUBLIC_READ').get('/api/events/')).body.results.map(({ title }: { title: string }) => title)
    assert.deepEqual((await titles()).filter((title: string) => /fair/.test(title)).length, 3)
    assert.equal((await manager!.post(`${GROUPS}${id}/delete/`)).headers.location, GROUPS)
    assert.deepEqual(
      (await titles()).filter((title: string) => /fair/.test(title)),
      [],
    )
    assert.equal((await manager!.get(`${GROUPS}${id}/`)).statusCode, 404)
  })

  test('the last management group can be neither demoted nor deleted', async () => {
    const demote = await manager!.post(`${GROUPS}${managers.id}/`, { form: { name: 'Managers', bundles: 'hr' } })
    assert.equal(demote.statusCode, 422)
    assert.match(demote.body, /last group that may manage everything/)
    await manager!.post(`${GROUPS}${managers.id}/delete/`)
    assert.equal((await permissionsOf(managers.id)).length, BUNDLES.management.length)
    const second = await make({ name: 'Deputies', bundles: 'management' })
    assert.equal((await manager!.post(`${GROUPS}${second}/`, { form: { name: 'Deputies', bundles: 'hr' } })).statusCode, 303)
  })

  /** Starts both transactions before either takes the lock. */
  async function endEachOther(lock: (tx: Tx) => Promise<void>): Promise<number> {
    await world.db.write.deleteFrom('group_permission').execute()
    const all = [...BUNDLES.management]
    const pair = [
      await world.addGroup(`One ${Math.random()}`, [], all),
      await world.addGroup(`Two ${Math.random()}`, [], all),
    ] as const
    let arrived = 0
    let open!: () => void
    const both = new Promise<void>((resolve) => {
      open = resolve
    })
    const meeting = async (tx: Tx) => {
      if (++arrived === 2) open()
      await both
      await lock(tx)
    }
    const context = contextOf(world, actorOf(OLGA))
    const form = { name: pair[0].name, bundles: [], publish_for: [], decide_hours_for: [] }
    await Promise.all([changeGroup(context, pair[0].id, form, meeting), deleteGroup(context, pair[1].id, meeting)])
    const left = await world.db.read
      .selectFrom('group_permission')
      .select('group_id')
      .where('permission', '=', 'change_group')
      .execute()
    return left.length
  }

  const seenIn = (body: string): string => /name="seen" value="([^"]*)"/.exec(body)![1]!.replaceAll('&quot;', '"')

  test('two people who edit one group: the second gets a conflict message and can overwrite knowingly', async () => {
    const id = await make({ name: 'Divers', bundles: [] })
    const path = `${GROUPS}${id}/`
    const seen = seenIn((await manager!.get(path)).body)
    const first = { seen, name: 'Divers north', bundles: 'planning', publish_for: String(HELPERS.id) }
    const second = { seen, name: 'Divers south' }
    const saved = await manager!.post(path, { form: first })
    assert.equal(saved.statusCode, 303)
    const late = await manager!.post(path, { form: second })
    assert.equal(late.statusCode, 409)
    assert.match(late.body, /Someone else has changed this group in the meantime/)
    assert.match(late.body, /value="Divers south"/)
    assert.deepEqual((await grantsOf(id)).length, 1)
    const again = await manager!.post(path, { form: { ...second, seen: seenIn(late.body) } })
    assert.equal(again.statusCode, 303)
    assert.match((await manager!.get(path)).body, /value="Divers south"/)
  })

  describe('a group that is deleted meanwhile', () => {
    /** Begins `use` while a transaction that deletes the group is open, and commits it when `use` waits for it. */
    const useDeleted = async <T>(use: (id: number) => Promise<T>): Promise<T> => {
      const { id } = await world.addGroup(`Doomed ${Math.random()}`, [])
      const deleted = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const deletion = world.db.write.transaction().execute(async (tx) => {
        await tx.deleteFrom('user_group').where('id', '=', id).execute()
        begun.resolve()
        await deleted.promise
      })
      await begun.promise
      const using = use(id)
      using.catch(() => {})
      await untilBlocked()
      deleted.resolve()
      await deletion
      return using
    }
    async function untilBlocked(): Promise<void> {
      for (;;) {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db.read)
        if (rows.length) return
      }
    }
    const context = contextOf(world, actorOf(OLGA))

    test('gets no members', async () => {
      assert.equal(await useDeleted((groupId) => addMembers(context, { groupId, userIds: [ANN.id] })), undefined)
      const insertAlone = (group_id: number) =>
        world.db.write.insertInto('user_group_member').values({ group_id, user_id: ANN.id }).execute()
      await assert.rejects(useDeleted(insertAlone), { code: '23503' }, 'without lock and retry, the foreign key fails')
    })

    test('is reported as unknown where it is a target', async () => {
      const id = await make({ name: 'Publishers', bundles: ['planning'] })
      const form = { name: 'Publishers', bundles: ['planning'], decide_hours_for: [] }
      const outcome = await useDeleted((target) => changeGroup(context, id, { ...form, publish_for: [target] }))
      assert.deepEqual(outcome, { ok: false, reasons: ['targets_unknown'] })
    })

    test('is not found when it is saved', async () => {
      const form = { name: 'Renamed', bundles: [], publish_for: [], decide_hours_for: [] }
      const { id } = await world.addGroup('Gone', [])
      await Promise.all([deleteGroup(context, id), changeGroup(context, id, form)])
      assert.equal(await changeGroup(context, id, form), undefined)
    })
  })

  test('one management group stays when two are removed at the same time', async () =>
    assert.equal(await endEachOther(lockAdministration), 1))

  test('both are lost without the lock', async () => {
    for (let tries = 0; tries < 20; tries++) if ((await endEachOther(async () => {})) === 0) return
    assert.fail('the race never showed itself')
  })
})
