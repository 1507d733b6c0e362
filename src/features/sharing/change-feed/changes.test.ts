import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import { transact } from '#platform/db/transaction.ts'
import type { Caller } from '#test/support/api-client.ts'
import { addEvent, addParticipation, type EventOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { KINDS } from './rules/kinds.ts'
import { isAnnounced } from './rules/visibility.ts'

type Result = { cursor: string; kind: string; id: number; version: number; what: string; cause: string | null; at: string }
type Body = { next: string; has_more: boolean; results: Result[] }

const world = await openWorld()
const ann = world.as(ANN, 'PUBLIC_READ')
const ben = world.as(BEN, 'PUBLIC_READ')
const paul = world.as(PAUL, 'PUBLIC_READ')
const olga = world.as(OLGA, 'PUBLIC_READ', 'CONFIDENTIAL_READ')

const read = async (caller: Caller, query: Record<string, string | number> = {}): Promise<Body> =>
  (await caller.get('/api/changes/', { query })).body
const present = async (): Promise<string> => (await read(ann)).next
const said = ({ results }: Body) => results.map(({ kind, id, what }) => `${kind} ${id} ${what}`).sort()
/** What a caller learns of a transaction. */
const learns = async (caller: Caller, after: string) => said(await read(caller, { after }))
const change = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => transact(world.db.write, work)
const publish = (wish: EventOptions) => change((tx) => addEvent(tx, wish, NOW))
const update = (id: number, values: Record<string, unknown>) =>
  change((tx) => tx.updateTable('event').set(values).where('id', '=', id).execute())

test('every kind of the description is announced', () => {
  assert.deepEqual(KINDS.filter(isAnnounced), [...KINDS])
})

describe('reading', () => {
  test('starts at the present end without a cursor', async () => {
    const event = await publish({ seenBy: [HELPERS], shifts: [{}] })
    const { next, results, has_more } = await read(ann)
    assert.deepEqual([results, has_more], [[], false])
    await update(event.id, { title: 'Renamed' })
    assert.deepEqual(await learns(ann, next), [`event ${event.id} updated`])
  })

  test('gives cursor, version, cause and time', async () => {
    const after = await present()
    const event = await publish({ seenBy: [HELPERS] })
    const [result] = (await read(ann, { after })).results
    assert.deepEqual(Object.keys(result!), ['cursor', 'kind', 'id', 'version', 'what', 'cause', 'at'])
    assert.equal(result!.at, '2031-05-01T12:00:00+02:00')
    await update(event.id, { title: 'Renamed' })
    const [later] = (await read(ann, { after: result!.cursor })).results
    assert.ok(later!.version > result!.version)
  })

  test('continues after a page, until there is no more', async () => {
    const after = await present()
    const events = []
    for (let i = 0; i < 5; i++) events.push(await publish({ seenBy: [HELPERS] }))
    const ids: number[] = []
    let page = await read(ann, { after, limit: 2 })
    for (; page.has_more; page = await read(ann, { after: page.next, limit: 2 })) ids.push(...page.results.map(({ id }) => id))
    ids.push(...page.results.map(({ id }) => id))
    assert.deepEqual(
      ids,
      events.map(({ id }) => id),
    )
    assert.deepEqual(await read(ann, { after: page.next }), { next: page.next, has_more: false, results: [] })
  })

  test('moves on past changes that the caller does not see', async () => {
    const after = await present()
    await publish({ seenBy: [PLANNERS] })
    const { next, results } = await read(ann, { after })
    assert.deepEqual(results, [])
    assert.notEqual(next, after)
  })

  test('gives everything that is kept after `start`', async () => {
    const event = await publish({ seenBy: [HELPERS] })
    const { results } = await read(ann, { after: 'start', limit: 1000 })
    assert.ok(results.some(({ kind, id }) => kind === 'event' && id === event.id))
  })

  for (const query of ['after=nonsense', 'after=6f1c2b1e0d3a', 'wait=-1', 'wait=soon', 'limit=0', 'limit=ten'])
    test(`refuses ${query}`, async () => {
      const { status, body } = await ann.get('/api/changes/', { query })
      assert.deepEqual([status, body.code, body.errors.length], [400, 'invalid_input', 1])
      assert.equal(body.errors[0].parameter, query.split('=')[0])
    })

  for (const [what, cursor] of [
    ['of another feed', '000000000000-1'],
    ['from the future', ''],
  ] as const)
    test(`answers a cursor ${what} with 410 and where to go on`, async () => {
      const after = cursor || `${(await present()).split('-')[0]}-zzzzz`
      const { status, body } = await ann.get('/api/changes/', { query: { after } })
      assert.deepEqual([status, body.code, body.type], [410, 'gone', 'urn:turnout:problem:gone'])
      assert.equal(body.next, await present())
    })
})

describe('an event', () => {
  test('appears to its audience with its shifts, and to nobody else', async () => {
    const after = await present()
    const event = await publish({ seenBy: [HELPERS], shifts: [{}] })
    const created = [`event ${event.id} created`, `shift ${event.shifts[0]} created`]
    assert.deepEqual(await learns(ann, after), created)
    assert.deepEqual(await learns(olga, after), created)
    assert.deepEqual(await learns(paul, after), [])
    assert.deepEqual(await learns(world.as(ANN, 'ME_READ', 'CONFIDENTIAL_READ'), after), [])
  })

  test('that is a draft does not appear before it is published', async () => {
    const after = await present()
    const event = await publish({ seenBy: [HELPERS], shifts: [{}], draft: true })
    await update(event.id, { title: 'Still a draft' })
    assert.deepEqual(await learns(olga, after), [])
    await update(event.id, { active: true })
    assert.deepEqual(await learns(ann, after), [`event ${event.id} visible`, `shift ${event.shifts[0]} visible`])
  })

  for (const [how, values] of [
    ['binned', { deleted_at: NOW }],
    ['cancelled', { cancelled_at: NOW, cancellation_reason: 'storm' }],
    ['made a draft', { active: false }],
  ] as const)
    test(`that is ${how} is gone, once, for those who saw it`, async () => {
      const event = await publish({ seenBy: [HELPERS, VERA], shifts: [{}] })
      const after = await present()
      await update(event.id, values)
      await update(event.id, { title: 'Nobody sees this' })
      const gone = [`event ${event.id} gone`, `shift ${event.shifts[0]} gone`]
      for (const caller of [ann, olga, world.as(VERA, 'PUBLIC_READ')]) assert.deepEqual(await learns(caller, after), gone)
      assert.deepEqual(await learns(paul, after), [])
      const { results } = await read(ann, { after })
      assert.deepEqual(new Set(results.map(({ cause }) => cause)), new Set([null]))
      await change((tx) => tx.deleteFrom('event').where('id', '=', event.id).execute())
      assert.deepEqual(await learns(world.as(VERA, 'PUBLIC_READ'), after), gone)
    })

  test('that is moved to other groups is gone for the former ones and new to the others', async () => {
    const event = await publish({ seenBy: [HELPERS], shifts: [{}] })
    const after = await present()
    await change(async (tx) => {
      await tx.deleteFrom('event_group_grant').where('event_id', '=', event.id).execute()
      await tx.insertInto('event_group_grant').values({ event_id: event.id, group_id: PLANNERS.id, permission: 'view' }).execute()
    })
    assert.deepEqual(await learns(ann, after), [`event ${event.id} gone`, `shift ${event.shifts[0]} gone`])
    assert.deepEqual(await learns(paul, after), [`event ${event.id} visible`, `shift ${event.shifts[0]} visible`])
    assert.deepEqual(await learns(olga, after), [`event ${event.id} updated`, `shift ${event.shifts[0]} updated`])
  })

  test('appears to a person who gets a grant, and is gone without it', async () => {
    const event = await publish({ seenBy: [HELPERS], shifts: [{}] })
    const after = await present()
    await world.grantsEvent(PAUL, event.id, 'view')
    assert.deepEqual(await learns(paul, after), [`event ${event.id} visible`, `shift ${event.shifts[0]} visible`])
    assert.deepEqual(await learns(ann, after), [])
    const later = await present()
    await change((tx) => tx.deleteFrom('event_user_grant').where('event_id', '=', event.id).execute())
    assert.deepEqual(await learns(paul, later), [`event ${event.id} gone`, `shift ${event.shifts[0]} gone`])
    assert.deepEqual(await learns(ann, later), [])
  })

  for (const [what, to] of [
    ['a group that sees it', { group_id: PLANNERS.id, permission: 'view' }],
    ['a group that is responsible', { group_id: HELPERS.id, permission: 'change' }],
    ['a responsible person', { user_id: BEN.id, permission: 'change' }],
  ] as const)
    test(`changes with ${what}, and later than before`, async () => {
      const event = await publish({ seenBy: [HELPERS], shifts: [{}] })
      const table = 'user_id' in to ? 'event_user_grant' : 'event_group_grant'
      const modified = async () => (await ann.get('/api/events/', { query: { modified_since: since, limit: 1000 } })).body.results
      let since = ''
      const isModified = async () => (await modified()).some(({ id }: { id: number }) => id === event.id)
      const isTold = async (work: (tx: Tx) => Promise<unknown>) => {
        const { rows } = await sql<{ now: string }>`select to_json(clock_timestamp()) as now`.execute(world.db.read)
        since = rows[0]!.now
        assert.equal(await isModified(), false)
        const after = await present()
        await change(work)
        assert.ok((await learns(ann, after)).includes(`event ${event.id} updated`))
        assert.equal(await isModified(), true)
      }
      await isTold((tx) =>
        tx
          .insertInto(table)
          .values({ ...to, event_id: event.id } as never)
          .execute(),
      )
      await isTold((tx) =>
        tx
          .deleteFrom(table)
          .where('event_id', '=', event.id)
          .where('permission', '=', to.permission)
          .where('user_id' in to ? sql.ref('user_id') : sql.ref('group_id'), '=', 'user_id' in to ? to.user_id : to.group_id)
          .execute(),
      )
    })

  test('is created once: it is visible again when it is restored or reopened', async () => {
    const after = await present()
    const event = await publish({ seenBy: [HELPERS] })
    for (const [hide, show] of [
      [{ deleted_at: NOW }, { deleted_at: null }],
      [
        { cancelled_at: NOW, cancellation_reason: 'storm' },
        { cancelled_at: null, cancellation_reason: null },
      ],
      [{ active: false }, { active: true }],
    ]) {
      await update(event.id, hide!)
      await update(event.id, show!)
    }
    const words = (await read(ann, { after })).results.map(({ what }) => what)
    assert.deepEqual(words, ['created', 'gone', 'visible', 'gone', 'visible', 'gone', 'visible'])
  })

  test('is created once for a person who joins it before the changes are read', async () => {
    const after = await present()
    const event = await publish({ seenBy: [PLANNERS], shifts: [{}] })
    await change((tx) => addParticipation(tx, { who: ANN, shift: event.shifts[0]! }, NOW))
    const words = (await read(ann, { after })).results.filter(({ kind }) => kind === 'event').map(({ what }) => what)
    assert.deepEqual(words, ['created', 'visible'])
  })

  test('changes with its shifts and their statistics', async () => {
    const event = await publish({ seenBy: [HELPERS], shifts: [{}, {}] })
    const after = await present()
    await change((tx) => tx.updateTable('shift').set({ missing: 3 }).where('id', '=', event.shifts[0]!).execute())
    assert.deepEqual(await learns(ann, after), [`event ${event.id} updated`, `shift ${event.shifts[0]} updated`])
    const later = await present()
    await change((tx) => tx.updateTable('shift').set({ stats_stale: true }).where('id', '=', event.shifts[0]!).execute())
    assert.deepEqual(await learns(ann, later), [])
    await change((tx) => tx.deleteFrom('shift').where('id', '=', event.shifts[1]!).execute())
    assert.deepEqual(await learns(ann, later), [`event ${event.id} updated`, `shift ${event.shifts[1]} gone`])
  })
})

describe('access', () => {
  test('a person learns that their groups changed, and then of the events of the new group only', async () => {
    const before = await publish({ seenBy: [PLANNERS] })
    const vera = world.as(VERA, 'PUBLIC_READ')
    const after = await present()
    const hidden = await publish({ seenBy: [PLANNERS] })
    await update(hidden.id, { active: false })
    const seen = await publish({ seenBy: [PLANNERS] })
    await change((tx) => tx.insertInto('user_group_member').values({ group_id: PLANNERS.id, user_id: VERA.id }).execute())
    // Never visible to her: `hidden`, which was hidden again before she joined.
    assert.deepEqual(await learns(vera, after), [`access ${VERA.id} updated`, `event ${seen.id} created`])
    const later = await present()
    await update(before.id, { title: 'Renamed' })
    assert.deepEqual(await learns(vera, later), [`event ${before.id} updated`])
    await change((tx) => tx.deleteFrom('user_group_member').where('user_id', '=', VERA.id).execute())
    await update(before.id, { title: 'Renamed again' })
    assert.deepEqual(await learns(vera, later), [`access ${VERA.id} updated`])
    assert.deepEqual((await learns(ann, later)).length, 0)
  })

  test('of a group concerns its members', async () => {
    const group = await world.addGroup('Stewards', [BEN])
    const after = await present()
    await world.grants(group, 'view_event')
    assert.deepEqual(await learns(ben, after), [`access ${BEN.id} updated`])
    assert.deepEqual(await learns(ann, after), [])
    await change((tx) => tx.deleteFrom('group_permission').where('group_id', '=', group.id).execute())
  })
})

describe('other records', () => {
  test('are announced with the scope and permission of their lists', async () => {
    const type = await world.addType({ title: 'Meeting' })
    const after = await present()
    await change((tx) => tx.updateTable('event_type').set({ title: 'Talk' }).where('id', '=', type).execute())
    const group = await world.addGroup('Drivers', [])
    const qualification = await world.addQualification('Driver')
    const hours = { user_id: ANN.id, hours: 2, reason: 'Cleaning', date: '2031-04-01' }
    const entry = await change((tx) => tx.insertInto('working_hours').values(hours).returning('id').executeTakeFirstOrThrow())
    assert.deepEqual(await learns(ben, after), [`event_type ${type} updated`, `qualification ${qualification.id} created`])
    assert.deepEqual(await learns(world.as(BEN, 'CONFIDENTIAL_READ'), after), [])
    assert.deepEqual(await learns(world.as(ANN, 'ME_READ'), after), [`working_hours ${entry.id} created`])
    const confidential = await learns(world.as(OLGA, 'CONFIDENTIAL_READ'), after)
    assert.deepEqual(confidential, [`group ${group.id} created`, `working_hours ${entry.id} created`])
    const later = await present()
    await change((tx) => tx.deleteFrom('working_hours').where('id', '=', entry.id).execute())
    assert.deepEqual(await learns(world.as(ANN, 'ME_READ'), later), [`working_hours ${entry.id} gone`])
    assert.deepEqual(await learns(world.as(PAUL, 'CONFIDENTIAL_READ'), later), [])
  })
})

describe('people and participations', () => {
  const me = world.as(ANN, 'ME_READ')
  const others = world.as(BEN, 'CONFIDENTIAL_READ')

  test('a participation is announced to the person, and to those who see the participant', async () => {
    const type = await world.addType({ title: 'Closed', showParticipantData: 2 })
    for (const [wish, seenByBen] of [
      [{}, true],
      [{ type }, false],
    ] as const) {
      const event = await publish({ seenBy: [HELPERS], shifts: [{}], ...wish })
      const after = await present()
      const id = await change((tx) => addParticipation(tx, { who: ANN, shift: event.shifts[0]!, state: 1 }, NOW))
      assert.deepEqual(await learns(me, after), [`participation ${id} created`])
      assert.deepEqual(await learns(others, after), seenByBen ? [`participation ${id} created`] : [])
      assert.deepEqual(await learns(world.as(PAUL, 'CONFIDENTIAL_READ'), after), [])
      const later = await present()
      await change((tx) => tx.updateTable('participation').set({ state: 2 }).where('id', '=', id).execute())
      assert.deepEqual(await learns(me, later), [`participation ${id} updated`])
      assert.deepEqual(await learns(others, later), seenByBen ? [`participation ${id} gone`] : [])
      assert.deepEqual(await learns(world.as(OLGA, 'CONFIDENTIAL_READ'), later), [`participation ${id} updated`])
    }
  })

  test('an event is gone for a person who saw it only because of a participation that was deleted', async () => {
    const event = await publish({ seenBy: [PLANNERS], shifts: [{}, {}] })
    const after = await present()
    const id = await change((tx) => addParticipation(tx, { who: ANN, shift: event.shifts[0]! }, NOW))
    const [one, two] = event.shifts
    assert.deepEqual(await learns(ann, after), [`event ${event.id} visible`, `shift ${one} visible`, `shift ${two} visible`])
    const later = await present()
    await change((tx) => tx.deleteFrom('participation').where('id', '=', id).execute())
    assert.deepEqual(await learns(ann, later), [`event ${event.id} gone`, `shift ${one} gone`, `shift ${two} gone`])
    assert.deepEqual(await learns(me, later), [`participation ${id} gone`])
    assert.deepEqual(await learns(paul, later), [`event ${event.id} updated`, `shift ${one} updated`])
  })

  test('people are told to read their lists again when a participation of their own shows or hides others', async () => {
    const type = await world.addType({ title: 'For the confirmed', showParticipantData: 1 })
    const event = await publish({ type, seenBy: [HELPERS], shifts: [{}] })
    const [shift] = event.shifts
    /** Entries about the access of Ann and Ben. */
    const lines = async (work: (tx: Tx) => Promise<unknown>) => {
      const after = await present()
      await change(work)
      const learned = [...(await learns(me, after)), ...(await learns(others, after))]
      return learned.filter((line) => line.startsWith('access'))
    }
    let id = 0
    const setState = (state: number) => (tx: Tx) => tx.updateTable('participation').set({ state }).where('id', '=', id).execute()
    const own = `access ${ANN.id} updated`

    assert.deepEqual(await lines((tx) => addParticipation(tx, { who: BEN, shift: shift!, state: 0 }, NOW)), [])
    const add = async (tx: Tx) => {
      id = await addParticipation(tx, { who: ANN, shift: shift!, state: 1 }, NOW)
    }
    assert.deepEqual(await lines(add), [own], 'added as confirmed')
    assert.deepEqual(await lines(setState(2)), [own], 'no longer confirmed')
    assert.deepEqual(await lines(setState(0)), [], 'not confirmed before and after')
    assert.deepEqual(await lines(setState(1)), [own], 'confirmed')
    const move = (tx: Tx) =>
      tx
        .updateTable('participation')
        .set({ structure_data: { note: 1 } })
        .where('id', '=', id)
        .execute()
    assert.deepEqual(await lines(move), [], 'confirmed before and after')
    assert.deepEqual(await lines((tx) => tx.deleteFrom('participation').where('id', '=', id).execute()), [own], 'deleted')
  })

  test('a profile is announced to those who may view it, and to the person', async () => {
    const after = await present()
    const hidden = await world.addPerson({ name: 'Hidden', isVisible: false })
    await change((tx) => tx.updateTable('user_profile').set({ display_name: 'Anna' }).where('id', '=', ANN.id).execute())
    await change((tx) => tx.updateTable('user_profile').set({ last_sign_in_at: NOW }).where('id', '=', ANN.id).execute())
    const vera = world.as(VERA, 'CONFIDENTIAL_READ')
    assert.deepEqual(await learns(vera, after), [`user ${ANN.id} updated`])
    assert.deepEqual(await learns(me, after), [`user ${ANN.id} updated`])
    assert.deepEqual(await learns(others, after), [])
    assert.deepEqual(await learns(world.as(hidden, 'ME_READ'), after), [`user ${hidden.id} updated`])
    await change((tx) => tx.updateTable('user_profile').set({ is_visible: false }).where('id', '=', ANN.id).execute())
    assert.deepEqual(await learns(vera, after), [`user ${ANN.id} gone`, `user ${ANN.id} updated`])
  })
})
