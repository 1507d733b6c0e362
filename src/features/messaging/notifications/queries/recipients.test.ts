import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { RecipientRow } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { ANN, BEN, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type Cause, findRecipients } from './recipients.ts'

describe('who gets a notification', async () => {
  const world = await openWorld()
  const { write } = world.db
  const [closed, program] = [await world.addPerson({ name: 'Closed' }), await world.addPerson({ name: 'Program' })]
  await write.updateTable('user_profile').set({ is_active: false }).where('id', '=', closed.id).execute()
  await write
    .updateTable('user_profile')
    .set({ is_service_account: true, is_visible: false, email_invalid: true })
    .where('id', '=', program.id)
    .execute()
  const everybody = () => sql<RecipientRow>`
    select id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
    from user_profile where id = any (${[closed.id, program.id, PAUL.id, BEN.id, ANN.id]}::bigint[])
    union all select null, 7, null, null union all select null, null, 8, null`
  const find = async (actor: Cause | undefined) =>
    (
      await findRecipients(write, everybody, {
        eventId: null,
        subjectId: null,
        at: world.now,
        listed: { users: [], guests: [], visitors: [] },
        actor,
      })
    ).map(({ user_id, guest_id, visitor_id }) => user_id ?? (guest_id ? `guest ${guest_id}` : `visitor ${visitor_id}`))
  const OUTSIDE = ['guest 7', 'visitor 8']

  test('are people with an account in use, guests and visitors, and no programs', async () => {
    assert.deepEqual(await find({ kind: 'user', id: VERA.id }), [ANN.id, PAUL.id, BEN.id, ...OUTSIDE])
  })
  test('is not the person who caused it', async () => {
    assert.deepEqual(await find({ kind: 'user', id: PAUL.id }), [ANN.id, BEN.id, ...OUTSIDE])
  })
  const PEOPLE = [ANN.id, PAUL.id, BEN.id]
  const CAUSES: [cause: string, actor: Cause | undefined, outside: string[]][] = [
    ['a job', { kind: 'system', id: null }, OUTSIDE],
    ['a partner instance with the number of a guest', { kind: 'partner', id: 7 }, OUTSIDE],
    ['anybody, if the actor is told, too', undefined, OUTSIDE],
    ['another guest', { kind: 'guest', id: 8 }, OUTSIDE],
    ['the guest', { kind: 'guest', id: 7 }, ['visitor 8']],
    ['another visitor', { kind: 'visitor', id: 7 }, OUTSIDE],
    ['the visitor', { kind: 'visitor', id: 8 }, ['guest 7']],
    ['a guest with the number of a person', { kind: 'guest', id: PAUL.id }, OUTSIDE],
  ]
  for (const [cause, actor, outside] of CAUSES)
    test(`of ${cause}: people and ${outside.join(', ')}`, async () => {
      assert.deepEqual(await find(actor), [...PEOPLE, ...outside])
    })
})
