import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { makeActor, type VisitorActor } from '#platform/auth/actor.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { HELPERS, NORD, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('notification mails of visitors', async () => {
  const world = await openWorld()
  world.now = new Date('2031-05-01T10:00:00Z')
  const outbox = new NotificationOutbox(world)
  const { id: visitorId } = await world.db.write
    .insertInto('visitor')
    .values({ federated_guest_id: NORD.id, remote_id: 7, display_name: 'Nina', email: 'nina@nord.example' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const nina = makeActor<VisitorActor>({
    kind: 'visitor',
    visitorId,
    federatedGuestId: NORD.id,
    displayName: 'Nina',
    language: 'en',
  })

  test('responsibles are notified of a visitor’s request, the visitor of the decision, with a link by way of their instance', async () => {
    const event = await world.addEvent({
      title: 'Harbour run',
      seenBy: [HELPERS],
      responsible: [PAUL],
      sharedWith: [NORD],
      shifts: [{}],
    })
    const [shiftId] = event.shifts
    const asked = await signUp({ ...contextAs(world, PAUL), actor: nina }, { shiftId: shiftId! })
    assert.ok(asked.ok)
    const [toPaul] = await outbox.deliver()
    assert.equal(toPaul?.to, PAUL.email)
    assert.match(toPaul!.text, /Nina/)
    await outbox.clear()
    const who = { kind: 'visitor' as const, id: visitorId }
    const comment = { text: 'Keep an eye on her', isHidden: true }
    assert.ok((await moveOnBoard(contextAs(world, PAUL), { shiftId: shiftId!, who, to: 1, comment })).ok)
    const mails = await outbox.deliver()
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['nina@nord.example'],
    )
    assert.match(mails[0]!.text, new RegExp(`/events/shared/${event.id}/${NORD.id}/`))
    assert.doesNotMatch(mails[0]!.text, /Keep an eye/)
    assert.doesNotMatch(mails[0]!.text, /\/notifications\/off\//)
  })
})
