import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { updateLeftGroups } from './place-basis.ts'

describe('a place of somebody who left the group of the event', async () => {
  const world = await openWorld()
  const { write } = world.db
  const divers = await world.addGroup('Divers', [])
  const others = await world.addGroup('Others', [])
  const planners = await world.addGroup('Planning', [])
  await write.insertInto('group_permission').values({ group_id: planners.id, permission: 'view_event' }).execute()
  const inOneHour = new Date(world.now.getTime() + 3_600_000)
  const place = async (who: Person, { seenBy = [divers] as object[], state = 1, end = inOneHour } = {}) => {
    const shift = { start: '2031-04-30T08:00:00Z', end: end.toISOString() }
    const event = await world.addEvent({ seenBy: seenBy as never, responsible: [PAUL], shifts: [shift] })
    const id = await world.addParticipation({ who, shift: event.shifts[0]!, state: state as 0 | 1 })
    return { id, shift: event.shifts[0]!, event: event.id }
  }
  const leave = (...people: Person[]) =>
    transact(write, (tx) => updateLeftGroups(tx, { userIds: people.map(({ id }) => id), left: [divers.id], now: world.now }))
  const hasLeft = async (id: number) =>
    (await write.selectFrom('place_basis').select('has_left_group').where('participation_id', '=', id).executeTakeFirst())
      ?.has_left_group ?? false
  const join = (who: Person, group: { id: number }) =>
    write.insertInto('user_group_member').values({ user_id: who.id, group_id: group.id }).execute()
  const grant = (event: number, who: Person) =>
    write.insertInto('event_user_grant').values({ event_id: event, user_id: who.id, permission: 'view' }).execute()

  type Given = { who: Person; event: number; stranger: Person }
  const CASES: [what: string, isLost: boolean, prepare: (given: Given) => Promise<unknown>][] = [
    ['is lost', true, async () => {}],
    ['is lost if only somebody else was asked personally', true, ({ event, stranger }) => grant(event, stranger)],
    ['stays if the person was asked personally', false, ({ event, who }) => grant(event, who)],
    ['is lost if the person is in a group of other events', true, ({ who }) => join(who, others)],
    ['stays if the person is in the group again', false, ({ who }) => join(who, divers)],
    ['stays if the person is in a group that sees all events', false, ({ who }) => join(who, planners)],
    [
      'stays if the person may see all events',
      false,
      ({ who }) => write.insertInto('user_permission').values({ user_id: who.id, permission: 'view_event' }).execute(),
    ],
    [
      'is lost if the person may do something else',
      true,
      ({ who }) => write.insertInto('user_permission').values({ user_id: who.id, permission: 'view_user' }).execute(),
    ],
    ...(['is_staff', 'is_superuser'] as const).map((column): (typeof CASES)[number] => [
      `stays if the person is an administrator (${column})`,
      false,
      ({ who }) =>
        write
          .updateTable('user_profile')
          .set({ [column]: true })
          .where('id', '=', who.id)
          .execute(),
    ]),
  ]
  for (const [what, isLost, prepare] of CASES)
    test(what, async () => {
      const [who, stranger] = [await world.addPerson({ name: 'Rita' }), await world.addPerson({ name: 'Stan' })]
      const { id, event } = await place(who)
      await prepare({ who, event, stranger })
      await leave(who)
      assert.equal(await hasLeft(id), isLost)
    })

  test('counts again when the person returns, and that of nobody else', async () => {
    const [who, other] = [await world.addPerson({ name: 'Rita' }), await world.addPerson({ name: 'Stan' })]
    const [own, theirs] = [await place(who), await place(other)]
    await leave(who, other)
    assert.deepEqual([await hasLeft(own.id), await hasLeft(theirs.id)], [true, true])
    for (const person of [who, other]) await join(person, divers)
    await leave(who)
    assert.deepEqual([await hasLeft(own.id), await hasLeft(theirs.id)], [false, true])
  })

  test('is lost only if it is confirmed, not over, and in an event of that group', async () => {
    const who = await world.addPerson({ name: 'Rita' })
    const [request, over, now, elsewhere, finished] = [
      await place(who, { state: 0 }),
      await place(who, { end: world.now }),
      await place(who, { end: new Date(world.now.getTime() + 1) }),
      await place(who, { seenBy: [others] }),
      await place(who),
    ]
    await write.updateTable('participation').set({ finished: true }).where('id', '=', finished!.id).execute()
    await leave(who)
    const lost = [request, over, now, elsewhere, finished].map(({ id }) => hasLeft(id))
    assert.deepEqual(await Promise.all(lost), [false, false, true, false, false])
  })
})
