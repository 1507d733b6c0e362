import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import { deleteEventType, moveEvents } from '../commands/event-types.ts'

const TYPES = '/manage/event-types/'

describe('event types', async () => {
  const world = await openWorld()
  const { db } = world

  const olga = await browserOf(world, OLGA)
  const row = (id: number) => db.read.selectFrom('event_type').selectAll().where('id', '=', id).executeTakeFirst()
  const entries = async (kind: string) =>
    db.read.selectFrom('journal').selectAll().where('kind', '=', kind).orderBy('id').execute()

  const FORM = {
    title: 'Training',
    color: '#1D6FB8',
    show_participant_data: '2',
    default_description: '**Bring** boots',
    audience: 'chosen',
    audience_groups: [String(HELPERS.id)],
    responsible_groups: [String(PLANNERS.id)],
    responsible_users: [String(PAUL.id)],
    add_responsible: 'ben@A.example',
    version: '1',
  }
  async function make(title = 'Training'): Promise<number> {
    const made = await olga.post(`${TYPES}new/`, { form: { title } })
    assert.equal(made.statusCode, 303)
    return Number(/(\d+)\/$/.exec(String(made.headers.location))![1])
  }

  test('are created with a title only and edited on their own page', async () => {
    const id = await make()
    const page = await olga.get(`${TYPES}${id}/`)
    assert.match(page.body, /value="Training"/)
    assert.deepEqual(checkMarkup(page.body), [])
    const { id: qualification } = await world.addQualification('First aid')
    const saved = await olga.post(`${TYPES}${id}/`, { form: { ...FORM, required_qualifications: [String(qualification)] } })
    assert.equal(saved.headers.location, TYPES)
    const type = (await row(id))!
    assert.deepEqual(
      [type.color, type.show_participant_data, type.default_description, type.visible_for_all_groups],
      ['#1d6fb8', 2, '**Bring** boots', false],
    )
    const users = await db.read.selectFrom('event_type_default_user').select('user_id').where('event_type_id', '=', id).execute()
    assert.deepEqual(users.map(({ user_id }) => user_id).sort(), [PAUL.id, BEN.id].sort())
    const groups = await db.read.selectFrom('event_type_default_group').selectAll().where('event_type_id', '=', id).execute()
    assert.deepEqual(
      new Set(groups.map(({ role, group_id }) => `${role} ${group_id}`)),
      new Set([`audience ${HELPERS.id}`, `responsible ${PLANNERS.id}`]),
    )
    const list = await olga.get(TYPES)
    assert.match(list.body, /Training.*responsible people only/s)
    assert.deepEqual(checkMarkup(list.body), [])
    assert.equal((await entries('event_type.changed')).at(-1)!.subject_id, id)
  })

  const BAD: [string, Record<string, string>, RegExp][] = [
    ['no title', { title: ' ' }, /give the event type a title/],
    ['a title that is too long', { title: 'x'.repeat(255) }, /254 characters/],
    ['a colour by name', { color: 'red' }, /in the form #1a2b3c/],
    ['three digits', { color: '#fff' }, /in the form #1a2b3c/],
    ['something hidden in a colour', { color: '#ffffff" onload="x' }, /in the form #1a2b3c/],
    ['a way to show people that there is not', { show_participant_data: '4' }, /check this value/],
    ['chosen groups without any', { audience: 'chosen', audience_groups: '' }, /check this value|at least one group/],
    ['somebody who is not there', { add_responsible: 'nobody@a.example' }, /No one has the name/],
  ]
  for (const [what, change, says] of BAD) {
    test(`refuse ${what}, show the error and keep the submitted values`, async () => {
      const id = await make('Kept')
      const { version } = (await row(id))!
      const answer = await olga.post(`${TYPES}${id}/`, {
        form: { ...FORM, default_description: 'typed text', ...change, version: String(version) },
      })
      assert.equal(answer.statusCode, 422)
      assert.match(answer.body, says)
      assert.match(answer.body, /typed text/)
      assert.equal((await row(id))!.title, 'Kept')
    })
  }

  test('ask for the e-mail address when two people have the same name', async () => {
    await world.addPerson({ name: 'Kim' })
    await world.addPerson({ name: 'Kim' })
    const id = await make()
    const answer = await olga.post(`${TYPES}${id}/`, { form: { ...FORM, add_responsible: 'kim' } })
    assert.match(answer.body, /More than one person is called/)
  })

  test('are not overwritten by an outdated form, which keeps its values', async () => {
    const id = await make('Twice')
    const form = { ...FORM, add_responsible: '', title: 'First' }
    assert.equal((await olga.post(`${TYPES}${id}/`, { form })).statusCode, 303)
    const second = await olga.post(`${TYPES}${id}/`, { form: { ...form, title: 'Second', default_description: 'my words' } })
    assert.equal(second.statusCode, 409)
    assert.match(second.body, /Somebody else saved this event type/)
    assert.match(second.body, /my words/)
    assert.equal((await row(id))!.title, 'First')
    const version = /name="version" value="(\d+)"/.exec(second.body)![1]!
    assert.equal((await olga.post(`${TYPES}${id}/`, { form: { ...form, title: 'Second', version } })).statusCode, 303)
    assert.equal((await row(id))!.title, 'Second')
  })

  test('show a new title in the API at once, and participants on the event page by the new mode', async () => {
    const id = await make('Old title')
    const { id: eventId, shifts } = await world.addEvent({ type: id, seenBy: [HELPERS], shifts: [{}] })
    await world.addParticipation({ who: BEN, shift: shifts[0]! })
    const [ann, visitor] = [world.as(ANN, 'PUBLIC_READ'), await browserOf(world, ANN)]
    const titleOf = async () => (await ann.get(`/api/events/${eventId}/`)).body.type.title
    const seen = async () => (await visitor.get(`/events/${eventId}-harbour-run/`)).body.includes('Ben')
    assert.deepEqual([await titleOf(), await seen()], ['Old title', true])
    const form = { ...FORM, title: 'New title', add_responsible: '', show_participant_data: '2' }
    await olga.post(`${TYPES}${id}/`, { form })
    assert.deepEqual([await titleOf(), await seen()], ['New title', false])
  })

  test('are archived and restored, once each', async () => {
    const id = await make('Old')
    assert.match((await olga.get(`${TYPES}${id}/archive/`)).body, /no longer offered/)
    for (let time = 0; time < 2; time++) assert.equal((await olga.post(`${TYPES}${id}/archive/`)).statusCode, 303)
    assert.match((await olga.get(TYPES)).body, /archived/)
    assert.equal((await entries('event_type.archived')).filter(({ subject_id }) => subject_id === id).length, 1)
    await olga.post(`${TYPES}${id}/restore/`)
    assert.equal((await row(id))!.archived_at, null)
  })

  test('in use cannot be deleted until their events are moved', async () => {
    const [id, target] = [await make('Used'), await make('Target')]
    const wishes = [{}, { draft: true }, { deleted: true }]
    for (const wish of wishes) await world.addEvent({ type: id, shifts: [{}], ...wish })
    assert.match((await olga.get(`${TYPES}${id}/delete/`)).body, /3 events have this type/)
    const refused = await olga.post(`${TYPES}${id}/delete/`)
    assert.deepEqual([refused.statusCode, /3 events have this type/.test(refused.body)], [409, true])
    assert.match((await olga.get(`${TYPES}${id}/move/`)).body, /3 events change their type/)
    assert.equal((await olga.post(`${TYPES}${id}/move/`, { form: { to: String(target) } })).statusCode, 303)
    assert.equal((await olga.post(`${TYPES}${id}/delete/`)).headers.location, TYPES)
    assert.equal(await row(id), undefined)
    const moved = await db.read.selectFrom('event').select('id').where('type_id', '=', target).execute()
    assert.equal(moved.length, 3)
    assert.equal((await olga.get(`${TYPES}${id}/`)).statusCode, 404)
  })

  test('cannot be moved to themselves, an archived or an unknown type', async () => {
    const [id, archived] = [await make('From'), await make('Archived')]
    await world.addEvent({ type: id })
    await olga.post(`${TYPES}${archived}/archive/`)
    for (const to of [id, archived, 999_999]) {
      assert.deepEqual(await moveEvents(contextAs(world, OLGA), id, { to }), { ok: false, reason: 'no_target' })
      assert.equal((await olga.post(`${TYPES}${id}/move/`, { form: { to: String(to) } })).statusCode, 422)
    }
    assert.equal((await olga.post(`${TYPES}${id}/move/`, { form: {} })).statusCode, 422)
  })

  test('cannot be deleted while an event is being created', async () => {
    const id = await make('Raced')
    let deleting: Promise<unknown> = Promise.resolve()
    await transact(db.write, async (tx) => {
      await tx.insertInto('event').values({ title: 'New', location: '', type_id: id, created_at: world.now }).execute()
      deleting = deleteEventType(contextAs(world, OLGA), id)
      // The delete waits for the event, which it cannot see yet.
      for (let waiting = 0; waiting === 0; ) {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db.read)
        waiting = rows[0]!.n
      }
    })
    assert.deepEqual(await deleting, { ok: false, reason: 'in_use' })
    assert.ok(await row(id))
  })

  test('require permission', async () => {
    const id = await make('Guarded')
    const [viewer, changer] = [await world.addPerson({ name: 'Viewer' }), await world.addPerson({ name: 'Changer' })]
    await world.grants(viewer, 'view_event_type')
    for (const permission of ['view_event_type', 'change_event_type'] as const) await world.grants(changer, permission)
    const [nobody, looks, changes] = [
      await browserOf(world, ANN),
      await browserOf(world, viewer),
      await browserOf(world, changer),
    ]
    const status = async (browser: Browser) => {
      const paths = ['', 'new/', `${id}/`, `${id}/archive/`, `${id}/move/`, `${id}/delete/`]
      return Promise.all(paths.map(async (path) => (await browser.get(`${TYPES}${path}`)).statusCode))
    }
    assert.deepEqual(await status(nobody), [403, 403, 403, 403, 403, 403])
    assert.deepEqual(await status(looks), [200, 403, 403, 403, 403, 403])
    assert.deepEqual(await status(changes), [200, 403, 200, 200, 403, 403])
    assert.equal((await changes.post(`${TYPES}${id}/delete/`)).statusCode, 403)
    assert.ok(!(await looks.get(TYPES)).body.includes(`href="${TYPES}${id}/"`))
    assert.ok(!(await changes.get(`${TYPES}${id}/`)).body.includes('people-names'), 'addresses are for those who may see people')
  })

  test('show the next step if there are none', async () => {
    const other = await openWorld()
    await other.db.write.deleteFrom('event_type').execute()
    const browser = new Browser({ port: other.line.port }, { host: new URL(SITE_URL).host })
    const [name, value] = (await other.sessionCookie(OLGA)).split('=')
    browser.cookies.set(name!, value!)
    const { body } = await browser.get(TYPES)
    assert.match(body, /There is no event type yet/)
    assert.deepEqual(checkMarkup(body), [])
  })
})
