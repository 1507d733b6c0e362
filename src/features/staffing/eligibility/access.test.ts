import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import type { Actor, GuestActor, VisitorActor } from '#platform/auth/actor.ts'
import { GUEST, VISITOR } from '#test/support/command-context.ts'
import { addPartner, type EventOptions } from '#test/support/fixtures.ts'
import { NORD, type Partner } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { openFor, reachableBy } from './access.ts'

const SOUTH: Partner = { kind: 'partner', id: 2, name: 'South', url: 'https://south.example' }

describe('events that participants without an account reach', async () => {
  const records = await openRecords()
  const { write } = records.db
  await addPartner(write, SOUTH)
  const states: [title: string, wish: EventOptions][] = [
    ['listed', {}],
    ['cancelled', { cancelled: true }],
    ['draft', { draft: true }],
    ['deleted', { deleted: true }],
  ]
  const events = new Map<string, { id: number; shift: number }>()
  for (const [state, wish] of states)
    for (const [title, sharedWith] of [
      [`${state}, shared with Nord`, [NORD]],
      [`${state}, shared with South`, [SOUTH]],
      [`${state}, not shared`, []],
    ] as const) {
      const { id, shifts } = await records.addEvent({ title, ...wish, sharedWith: [...sharedWith], shifts: [{}] })
      events.set(title, { id, shift: shifts[0]! })
    }

  const reachedBy = async (actor: Actor, condition: (actor: Actor) => RawBuilder<unknown>) =>
    (await sql<{ title: string }>`select e.title from event e where ${condition(actor)} order by 1`.execute(write)).rows.map(
      ({ title }) => title,
    )
  const both = async (actor: Actor, expected: string[]) => {
    assert.deepEqual(await reachedBy(actor, reachableBy), expected)
    assert.deepEqual(await reachedBy(actor, openFor), expected, 'to open the page')
  }

  const addVisitor = async (federatedGuestId: number, name: string): Promise<Actor & VisitorActor> => {
    const values = { federated_guest_id: federatedGuestId, display_name: name, email: `${name}@nord.example` }
    const { id } = await write.insertInto('visitor').values(values).returning('id').executeTakeFirstOrThrow()
    return { ...VISITOR, federatedGuestId, visitorId: id }
  }
  test('visitors reach what is shared with their instance, also if it is cancelled', async () => {
    await both(await addVisitor(NORD.id, 'Vic'), ['cancelled, shared with Nord', 'listed, shared with Nord'])
    await both(await addVisitor(SOUTH.id, 'Val'), ['cancelled, shared with South', 'listed, shared with South'])
  })
  test('visitors reach nothing without their record, or with one of another instance', async () => {
    const visitor = await addVisitor(NORD.id, 'Vanessa')
    await both({ ...visitor, federatedGuestId: SOUTH.id }, [])
    await write.deleteFrom('visitor').where('id', '=', visitor.visitorId).execute()
    await both(visitor, [])
  })

  const addGuest = async (title: string, link: { active: boolean } | undefined): Promise<Actor & GuestActor> => {
    const { id: eventId, shift } = events.get(title)!
    const participation = await records.addParticipation({ who: { guest: { name: `Gus ${title}` } }, shift })
    const hash = Buffer.from(title)
    if (link)
      await write
        .insertInto('guest_share')
        .values({ event_id: eventId, token_hash: hash, token_sealed: '', ...link })
        .execute()
    const { guest_id } = await write
      .selectFrom('participation')
      .select('guest_id')
      .where('id', '=', participation)
      .executeTakeFirstOrThrow()
    return { ...GUEST, eventId, guestId: guest_id! }
  }
  test('guests reach their own event while its link is active and it is published', async () => {
    const guest = await addGuest('listed, not shared', { active: true })
    await both(guest, ['listed, not shared'])
    await both(await addGuest('cancelled, not shared', { active: true }), ['cancelled, not shared'])
    for (const title of ['draft, not shared', 'deleted, not shared']) await both(await addGuest(title, { active: true }), [])
    await both(await addGuest('listed, shared with Nord', { active: false }), [])
    await both(await addGuest('listed, shared with South', undefined), [])
    await both({ ...guest, eventId: events.get('cancelled, not shared')!.id }, [])
    await both({ ...guest, guestId: 999_999 }, [])
  })
})
