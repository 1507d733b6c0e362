import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { storeShift } from '#features/planning/removed-shifts/commands/store.ts'
import { type Actor, type GuestActor, makeActor, type VisitorActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { actorOf, contextAs, contextOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import {
  findNotifiedPeople,
  findRemovedParticipants,
  findRemovedRows,
  findRemovedShifts,
  getRemovedRow,
  getRemovedShift,
} from './removed-shifts.ts'

const DAY_MS = 24 * 3_600_000
const at = (time: string) => `2031-05-20T${time}:00Z`

describe('queries of removed shifts', async () => {
  const world = await openWorld()
  const { write } = world.db
  const request = (actor: Actor, ms = 0): RequestContext => ({
    ...contextOf(world, actor),
    now: new Date(world.now.getTime() + ms),
    words: wordsFor('en', 'UTC'),
  })
  const as = (person: typeof ANN, ms = 0) =>
    request(actorOf(person, { groupIds: HELPERS.members.includes(person) ? [HELPERS.id] : [] }), ms)
  const remove = async (shiftId: number, reason?: string, ms = 0) => {
    const context = contextAs(world, PAUL)
    const now = new Date(world.now.getTime() + ms)
    await transact(write, (tx) => storeShift(tx, { ...context, now }, { shiftId, reason, copies: sql`false` }))
    await write.deleteFrom('shift').where('id', '=', shiftId).execute()
  }
  beforeEach(async () => {
    await sql`delete from removed_shift`.execute(write)
    await write.deleteFrom('event').execute()
  })
  const idOf = async (id: number, column: 'guest_id' | 'visitor_id') =>
    (await write.selectFrom('participation').select(['guest_id', 'visitor_id']).where('id', '=', id).executeTakeFirstOrThrow())[
      column
    ]!

  /** A cancelled and a deleted shift with people of all kinds. */
  async function open(more: object = {}) {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        { label: 'late', start: at('12:00') },
        { label: 'early', start: at('08:00'), end: at('09:30') },
        { label: 'stays', start: at('10:00') },
      ],
      ...more,
    })
    const [late, early] = shifts as [number, number, number]
    await world.addParticipation({ who: ANN, shift: late, state: 1 })
    await world.addParticipation({ who: BEN, shift: late, state: 0 })
    await world.addParticipation({ who: VERA, shift: late, state: 2 })
    await world.addParticipation({ who: PAUL, shift: late, state: 1 })
    await world.addParticipation({ who: { placeholder: 'Driver' }, shift: late, state: 1 })
    const guest = await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift: late, state: 1 })
    const visitor = await world.addParticipation({ who: { visitor: { name: 'Vic' }, of: NORD }, shift: late, state: 0 })
    await world.addParticipation({ who: BEN, shift: early, state: 1 })
    const ids = { guest: await idOf(guest, 'guest_id'), visitor: await idOf(visitor, 'visitor_id') }
    const gus = makeActor<GuestActor>({ kind: 'guest', guestId: ids.guest, eventId: id, displayName: 'Gus', language: 'en' })
    const vic = makeActor<VisitorActor>({
      kind: 'visitor',
      visitorId: ids.visitor,
      federatedGuestId: NORD.id,
      displayName: 'Vic',
      language: 'en',
    })
    return { id, late, early, gus, vic, ...ids }
  }

  test('are seen by planners, and cancelled ones by those who were on them', async () => {
    const { id, late, early, gus, vic, guest, visitor } = await open()
    await remove(late, 'Storm')
    await remove(early)
    const other = await open()
    await remove(other.late, 'Flood')
    const since = new Date(world.now.getTime() - 1)
    const shown = async (context: RequestContext, mayChange = false, from = since) =>
      (await findRemovedShifts(context, { eventId: id, mayChange, since: from })).map(({ label, isOwn }) => [label, isOwn])
    assert.deepEqual(await shown(as(PAUL), true), [
      ['early', false],
      ['late', true],
    ])
    assert.deepEqual(await shown(as(OLGA), true), [
      ['early', false],
      ['late', false],
    ])
    assert.deepEqual(await shown(as(OLGA), true, world.now), [['late', false]], 'a deleted one only within the time')
    assert.deepEqual(await shown(as(ANN)), [['late', true]])
    assert.deepEqual(await shown(as(BEN)), [['late', true]], 'the other one was deleted')
    assert.deepEqual(await shown(as(VERA)), [], 'had declined')
    assert.deepEqual([await shown(request(gus)), await shown(request(vic))], [[['late', true]], [['late', true]]])
    const [stranger, foreigner] = [{ ...gus, guestId: 0 } as GuestActor, { ...vic, visitorId: 0 } as VisitorActor]
    assert.deepEqual([await shown(request(stranger)), await shown(request(foreigner))], [[], []])
    assert.deepEqual(await shown(request({ kind: 'anonymous' } as Actor)), [])
    const [, row] = await findRemovedShifts(as(PAUL), { eventId: id, mayChange: true, since })
    const fields = {
      eventId: id,
      eventTitle: 'Harbour run',
      label: 'late',
      isCancelled: true,
      reason: 'Storm',
      removedAt: world.now,
    }
    const stored = { id: late, ...fields, start: new Date(at('12:00')), end: new Date(at('13:00')) }
    assert.deepEqual(row, { ...stored, isOwn: true })
    assert.deepEqual(await getRemovedShift(write, as(PAUL).actor, late), stored)
    assert.equal(await getRemovedShift(write, as(ANN).actor, late), undefined)
    assert.equal(await getRemovedShift(write, as(PAUL).actor, 0), undefined)
    assert.deepEqual(await findRemovedParticipants(write, late), [
      { kind: 'guest', id: guest },
      ...[ANN, PAUL, BEN, VERA].map((who) => ({ kind: 'local' as const, id: who.id })).sort((a, b) => a.id - b.id),
      { kind: 'visitor', id: visitor },
    ])
    await write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', id).execute()
    assert.equal(await getRemovedShift(write, as(PAUL).actor, late), undefined)
  })

  test('are listed by the API, the last removed first, as long as they can be restored', async () => {
    const first = await open()
    const second = await open()
    const draft = await open({ draft: true })
    const binned = await open({ deleted: true })
    await remove(first.early, undefined, 1)
    await remove(first.late, 'Storm', 2)
    await remove(second.early, undefined, 3)
    for (const { late } of [draft, binned]) await remove(late, 'Storm', 4)
    const page = { limit: 10, offset: 0 }
    const ids = async (context: RequestContext) => {
      const { rows, count } = await findRemovedRows(context, page)
      assert.equal(count, rows.length)
      for (const { id } of rows) assert.equal((await getRemovedRow(context, id))?.id, id)
      return rows.map(({ id }) => id)
    }
    assert.deepEqual(await ids(as(PAUL, 4)), [draft.late, second.early, first.late, first.early])
    assert.deepEqual(await ids(as(PAUL, DAY_MS)), [draft.late, second.early, first.late, first.early])
    assert.deepEqual(await ids(as(PAUL, DAY_MS + 1)), [draft.late, second.early, first.late])
    assert.deepEqual(await ids(as(PAUL, DAY_MS + 3)), [draft.late, first.late])
    assert.deepEqual(await ids(as(ANN, 4)), [first.late])
    assert.deepEqual(await ids(as(VERA, 4)), [])
    assert.deepEqual(
      (await findRemovedRows(as(PAUL, 4), { limit: 1, offset: 1 })).rows.map(({ id }) => id),
      [second.early],
    )
    assert.equal(await getRemovedRow(as(VERA), first.late), undefined)
    assert.equal(await getRemovedRow(as(PAUL), binned.late), undefined)
    const row = await getRemovedRow(as(PAUL), first.early)
    assert.deepEqual(
      { ...row, start_time: new Date(row!.start_time), end_time: new Date(row!.end_time), removed_at: new Date(row!.removed_at) },
      {
        id: first.early,
        event_id: first.id,
        event_title: 'Harbour run',
        label: 'early',
        start_time: new Date(at('08:00')),
        end_time: new Date(at('09:30')),
        is_cancelled: false,
        reason: '',
        removed_at: new Date(world.now.getTime() + 1),
      },
    )
  })

  test('those who get a message are named by state and name, before and after, without the caller', async () => {
    const { id, late, early } = await open()
    const told = async (shiftId: number, from: 'participation' | 'removed_participation', person = PAUL) =>
      (await findNotifiedPeople(as(person), { shiftId, from })).map(({ name, isConfirmed }) => `${name} ${isConfirmed}`)
    const all = ['Ann true', 'Gus true', 'Ben false', 'Vic false']
    assert.deepEqual(await told(late, 'participation'), all)
    assert.deepEqual(await told(late, 'participation', ANN), ['Gus true', 'Paul true', 'Ben false', 'Vic false'])
    assert.deepEqual(await told(early, 'participation'), ['Ben true'])
    await remove(late, 'Storm')
    assert.deepEqual(await told(late, 'removed_participation'), all)
    assert.deepEqual(await told(late, 'participation'), [])
    await world.setActive(ANN, false)
    assert.deepEqual(await told(late, 'removed_participation'), all.slice(1))
    await world.setActive(ANN, true)
    await write.updateTable('event').set({ active: false }).where('id', '=', id).execute()
    assert.deepEqual([await told(late, 'removed_participation'), await told(early, 'participation')], [[], []])
  })
})
