import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { contextAs } from '#test/support/command-context.ts'
import type { Browser } from '#test/support/http-browser.ts'
import { journalOf } from '#test/support/journal.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { resumeActions, startAction } from './commands/run.ts'
import { deleteOldActions, selectPeople } from './commands/select.ts'
import { peopleActionTasks } from './jobs.ts'

const SELECT = '/manage/people/select/'
const NONE = { group: null, qualification: null, until: null }

/** Runs what a request has queued. */
async function work(world: World): Promise<number> {
  const jobs = await findJobs(world.db, 'people_action')
  const [task] = peopleActionTasks({ db: world.db, clock: { now: () => world.now }, site: world.app.site })
  for (const { payload } of jobs) await task!.run(payload as Record<string, unknown>)
  await sql`delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'people_action'`.execute(world.db.write)
  return jobs.length
}

const manyEntries = async (world: World) =>
  (
    await sql<{ kind: string; changes: { users: number[] } }>`
      select kind, changes from journal where kind like 'user.many%' order by id desc`.execute(world.db.read)
  ).rows

const formOf = (people: readonly Person[], kind: string) => ({ kind, people: people.map(({ id }) => String(id)) })

async function choose(browser: Browser, form: Record<string, string | string[]>, query = ''): Promise<string> {
  await browser.get(`${SELECT}${query}`)
  const answer = await browser.post(`${SELECT}${query}`, { form })
  assert.equal(answer.statusCode, 303, answer.body.slice(0, 2000))
  return String(answer.headers.location)
}

async function perform(browser: Browser, path: string, form: Record<string, string> = {}): Promise<string> {
  const page = await browser.get(path)
  assert.deepEqual(checkMarkup(page.body), [])
  const answer = await browser.post(path, { form })
  assert.equal(answer.statusCode, 303, answer.body.slice(0, 3000))
  const { body } = await browser.get(path)
  assert.deepEqual(checkMarkup(body), [])
  return body
}

describe('actions on many people', async () => {
  const world = await openWorld({ hasMail: true })
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const hanna = await world.addPerson({ name: 'Hanna', permissions: ['view_user', 'change_user'] })
  await world.db.write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: hanna.id }).execute()
  const robot = await world.addPerson({ name: 'Robot', isVisible: false })
  const nora = await world.addPerson({ name: 'Nora' })
  const [staff, hr, viewer] = await Promise.all([stella, hanna, VERA].map((who) => browserOf(world, who)))

  const membersOf = async (groupId: number) =>
    (
      await world.db.read
        .selectFrom('user_group_member')
        .select('user_id')
        .where('group_id', '=', groupId)
        .orderBy('user_id')
        .execute()
    ).map(({ user_id }) => user_id)
  const isActive = async ({ id }: Person) =>
    (await world.db.read.selectFrom('user_profile').select('is_active').where('id', '=', id).executeTakeFirstOrThrow()).is_active
  const expiryOf = async ({ id }: Person, qualificationId: number) =>
    (
      await world.db.read
        .selectFrom('qualification_grant')
        .select('expires_at')
        .where('user_id', '=', id)
        .where('qualification_id', '=', qualificationId)
        .executeTakeFirst()
    )?.expires_at

  test('are offered behind one button of the list, to those who may change people', async () => {
    const list = (await hr!.get('/manage/people/?q=n')).body
    assert.match(list, /href="\/manage\/people\/select\/\?q=n"/)
    assert.doesNotMatch(list, /type="checkbox"/)
    assert.doesNotMatch((await viewer!.get('/manage/people/')).body, /select\//)
    assert.equal((await viewer!.get(SELECT)).statusCode, 403)
    assert.equal((await viewer!.post(SELECT, { form: formOf([BEN], 'deactivate') })).statusCode, 403)
    assert.deepEqual(checkMarkup((await hr!.get(SELECT)).body), [])
    assert.doesNotMatch((await hr!.get(SELECT)).body, /name="people" value="\d+" checked/)
    assert.match((await hr!.get(`${SELECT}?ticked=1`)).body, /name="people" value="\d+" checked/)
  })

  test('need people and a kind', async () => {
    await hr!.get(SELECT)
    for (const form of [{ kind: 'invite' }, { people: String(BEN.id) }, { kind: 'erase', people: String(BEN.id) }])
      assert.equal((await hr!.post(SELECT, { form })).statusCode, 422, JSON.stringify(form))
  })

  test('add to a group and remove from it, with one entry of the log and undo', async () => {
    const group = await world.addGroup('Kitchen', [BEN])
    const path = await choose(staff!, formOf([ANN, BEN, nora], 'add_to_group'))
    assert.match((await staff!.get(path)).body, /Add 3 people to a group\?/)
    assert.equal((await staff!.post(path, { form: {} })).statusCode, 422)
    const result = await perform(staff!, path, { group: String(group.id) })
    assert.match(result, /2 people: done\./)
    assert.match(result, />Ben<.*is a member already/s)
    assert.deepEqual(await membersOf(group.id), [ANN.id, BEN.id, nora.id])
    const entries = await journalOf(world, 'group', group.id)
    assert.deepEqual(
      entries.map(({ changes }) => changes),
      [{ members: { added: [ANN.id, nora.id] } }],
    )
    assert.equal((await staff!.post(`${path}undo/`)).statusCode, 303)
    assert.match((await staff!.get(path)).body, /Undone for 2 people\./)
    assert.deepEqual(await membersOf(group.id), [BEN.id])
    await perform(staff!, await choose(staff!, formOf([BEN], 'remove_from_group')), { group: String(group.id) })
    assert.deepEqual(await membersOf(group.id), [])
  })

  test('of groups follow the rule for one person: own groups only, without the right to change groups', async () => {
    const path = await choose(hr!, formOf([ANN, nora], 'add_to_group'))
    const page = (await hr!.get(path)).body
    assert.match(page, new RegExp(`<option value="${HELPERS.id}"`))
    assert.doesNotMatch(page, new RegExp(`<option value="${PLANNERS.id}"`))
    const before = await membersOf(PLANNERS.id)
    assert.equal((await hr!.post(path, { form: { group: String(PLANNERS.id) } })).statusCode, 422)
    assert.deepEqual(await membersOf(PLANNERS.id), before)
    assert.match(await perform(hr!, path, { group: String(HELPERS.id) }), /1 person: done\./)
  })

  test('record a qualification, never for a shorter time, and undo restores the days before', async () => {
    const medic = await world.addQualification('Medic')
    const later = new Date('2041-01-01T00:00:00Z')
    const sooner = new Date('2031-08-01T00:00:00Z')
    await world.holds(ANN, medic, later)
    await world.holds(BEN, medic, sooner)
    const path = await choose(hr!, formOf([ANN, BEN, nora], 'grant'))
    const result = await perform(hr!, path, { qualification: String(medic.id), until: '2035-05-04' })
    assert.match(result, /2 people: done\./)
    assert.match(result, />Ann<.*has it for as long already/s)
    assert.deepEqual(await expiryOf(ANN, medic.id), later)
    assert.equal((await expiryOf(nora, medic.id))?.getTime(), (await expiryOf(BEN, medic.id))?.getTime())
    const [entry] = await manyEntries(world)
    assert.equal(entry!.kind, 'user.many_qualified')
    assert.deepEqual(entry!.changes.users, [BEN.id, nora.id])
    const log = (await staff!.get('/manage/log/?who=Nora')).body
    assert.match(log, /recorded a qualification for several people/)
    await world.db.write.updateTable('qualification_grant').set({ expires_at: later }).where('user_id', '=', nora.id).execute()
    await hr!.post(`${path}undo/`)
    const undone = (await hr!.get(path)).body
    assert.match(undone, /Undone for 1 person\./)
    assert.match(undone, />Nora<.*was changed since/s)
    assert.deepEqual(await expiryOf(BEN, medic.id), sooner)
    assert.deepEqual(await expiryOf(nora, medic.id), later)
  })

  test('deactivate nobody whom the single action protects, and undo activates the others', async () => {
    const path = await choose(hr!, formOf([stella, hanna, nora], 'deactivate'))
    const result = await perform(hr!, path)
    assert.match(result, /1 person: done\./)
    assert.match(result, />Stella<.*is an administrator/s)
    assert.match(result, />Hanna<.*that is you/s)
    assert.deepEqual(await Promise.all([stella, hanna, nora].map(isActive)), [true, true, false])
    const [entry] = await manyEntries(world)
    assert.deepEqual([entry!.kind, entry!.changes.users], ['user.many_deactivated', [nora.id]])
    await hr!.post(`${path}undo/`)
    assert.equal(await isActive(nora), true)
    assert.equal((await manyEntries(world))[0]!.kind, 'user.many_reactivated')
  })

  test('leave out hidden people whom the caller may not see', async () => {
    await hr!.get(SELECT)
    assert.equal((await hr!.post(SELECT, { form: formOf([robot], 'deactivate') })).statusCode, 422)
    const context = contextAs(world, hanna)
    const chosen = await selectPeople(context, { kind: 'deactivate', filter: { terms: [], state: 'all', userIds: [nora.id] } })
    assert.ok(chosen.ok)
    await world.db.write.updateTable('user_profile').set({ is_visible: false }).where('id', '=', nora.id).execute()
    await startAction(context, chosen.id, NONE)
    assert.equal(await isActive(nora), true)
    await world.db.write.updateTable('user_profile').set({ is_visible: true }).where('id', '=', nora.id).execute()
  })

  test('belong to whoever chose the people', async () => {
    const path = await choose(hr!, formOf([nora], 'deactivate'))
    assert.equal((await staff!.get(path)).statusCode, 404)
    assert.equal((await staff!.post(path)).statusCode, 404)
    assert.equal((await staff!.post(`${path}undo/`)).statusCode, 404)
    assert.equal(await isActive(nora), true)
  })

  test('can be undone for a day, and are deleted then', async () => {
    const path = await choose(hr!, formOf([nora], 'deactivate'))
    await perform(hr!, path)
    const id = Number(/\d+/.exec(path)![0])
    const ago = new Date(world.now.getTime() - 25 * 3600_000)
    await world.db.write.updateTable('people_action').set({ finished_at: ago }).where('id', '=', id).execute()
    assert.doesNotMatch((await hr!.get(path)).body, /undo\//)
    await hr!.post(`${path}undo/`)
    assert.equal(await isActive(nora), false)
    await deleteOldActions(world.db.write, world.now)
    assert.equal((await hr!.get(path)).statusCode, 404)
    await world.db.write.updateTable('user_profile').set({ is_active: true }).where('id', '=', nora.id).execute()
  })

  test('export the ticked people, or those of the filter', async () => {
    const ticked = await choose(staff!, formOf([BEN, nora], 'export'))
    const lines = async (path: string) => (await staff!.get(path)).body.trim().split('\n').slice(1)
    assert.deepEqual(
      (await lines(ticked)).map((line) => line.split(/[,;]/)[0]),
      ['Ben', 'Nora'],
    )
    const all = await choose(staff!, { kind: 'export', all: 'on' }, '?q=nora')
    assert.equal((await lines(all)).length, 1)
  })
})

describe('200 people', async () => {
  const world = await openWorld({ hasMail: true })
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const admin = await browserOf(world, stella)
  await sql`
    insert into user_profile (email, display_name, created_at)
    select 'm' || n || '@many.example', 'Member ' || n, ${world.now} from generate_series(1, 200) n`.execute(world.db.write)
  await sql`update user_profile set password_hash = 'x' where email = 'm7@many.example'`.execute(world.db.write)
  const welcomeMails = async () => (await findJobs(world.db, 'account_mail')).length

  test('are invited by the filter: with progress, one entry of the log, and a mail for each who never signed in', async () => {
    const path = await choose(admin, { kind: 'invite', all: 'on' }, '?q=Member')
    assert.match((await admin.get(path)).body, /Invite 200 people\?/)
    const waiting = await perform(admin, path)
    assert.match(waiting, /<progress value="0" max="200">/)
    assert.equal(await welcomeMails(), 0)
    assert.equal(await work(world), 1)
    const { body } = await admin.get(path)
    assert.match(body, /199 people get an email\./)
    assert.match(body, />Member 7<.*has signed in before/s)
    assert.doesNotMatch(body, /undo\//)
    assert.equal(await welcomeMails(), 199)
    const entries = await manyEntries(world)
    assert.deepEqual(
      entries.map(({ kind, changes }) => [kind, changes.users.length]),
      [['user.many_welcomed', 199]],
    )
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from journal where kind = 'user.welcomed'`.execute(world.db.read)
    assert.equal(rows[0]!.count, 0)
    assert.match((await admin.get('/manage/log/')).body, /invited several people/)
  })

  test('are not invited twice by a second job', async () => {
    const before = await welcomeMails()
    const id = (await world.db.read.selectFrom('people_action').select('id').executeTakeFirstOrThrow()).id
    const [task] = peopleActionTasks({ db: world.db, clock: { now: () => world.now }, site: world.app.site })
    await task!.run({ id, by: stella.id })
    assert.equal(await welcomeMails(), before)
  })

  test('whose process was killed are taken up again, once', async () => {
    const path = await choose(admin, { kind: 'deactivate', all: 'on' }, '?q=Member')
    await perform(admin, path)
    await sql`update graphile_worker._private_jobs j set locked_at = now(), locked_by = 'dead' from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'people_action'`.execute(world.db.write)
    await resumeActions(world.db.write)
    await resumeActions(world.db.write)
    assert.equal((await findJobs(world.db, 'people_action')).length, 2)
    await work(world)
    assert.match((await admin.get(path)).body, /200 people: done\./)
  })

  test('stay as they are if the person who asked may no longer change people', async () => {
    const path = await choose(admin, { kind: 'invite', all: 'on' }, '?q=Member&state=inactive')
    await perform(admin, path)
    await world.db.write.updateTable('user_profile').set({ is_staff: false }).where('id', '=', stella.id).execute()
    const before = await welcomeMails()
    await work(world)
    assert.equal(await welcomeMails(), before)
    const state = await world.db.read.selectFrom('people_action').select('state').where('state', '=', 'open').execute()
    assert.equal(state.length, 1)
  })
})

test('without mail, nobody can be invited; the first page says so at the choice', async () => {
  const world = await openWorld()
  const staff = await browserOf(world, await world.addPerson({ name: 'Stella', isStaff: true }))
  await staff.get(SELECT)
  const { statusCode, body } = await staff.post(SELECT, { form: formOf([ANN], 'invite') })
  assert.equal(statusCode, 422)
  assert.match(body, /<a href="#field-kind">[^<]*This instance sends no emails/)
  assert.equal((await world.db.read.selectFrom('people_action').selectAll().execute()).length, 0)
})
