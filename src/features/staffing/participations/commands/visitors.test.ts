import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { type Actor, ANONYMOUS, type GuestActor, makeActor, type PartnerActor, type VisitorActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { anyUser, checkApiAccess, checkPageAccess, partner, permission, scope, signedIn, staff } from '#platform/http/access.ts'
import { Problem } from '#platform/http/problem.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { addParticipation, type EventOptions } from '#test/support/fixtures.ts'
import { HELPERS, NORD, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { GUARD } from './locks.ts'
import { customize, decline, type MoveOutcome, signUp } from './sign-up.ts'

const LEAVES = { user_can_decline_confirmed: true }
const codeOf = (outcome: MoveOutcome) => (outcome.ok ? outcome.to : outcome.reasons.map(({ code }) => code).join())
const notFound = (error: unknown) => error instanceof Problem && error.code === 'not_found'

describe('visitors and guests', async () => {
  const world = await openWorld()
  const as = (actor: Actor): CommandContext => ({ ...contextAs(world, PAUL), actor })

  async function addVisitor(name: string, dateOfBirth: string | null = '1990-01-01'): Promise<VisitorActor> {
    const { id } = await world.db.write
      .insertInto('visitor')
      .values({ federated_guest_id: NORD.id, display_name: name, email: `${name}@nord.example`, date_of_birth: dateOfBirth })
      .returning('id')
      .executeTakeFirstOrThrow()
    return makeActor<VisitorActor>({
      kind: 'visitor',
      visitorId: id,
      federatedGuestId: NORD.id,
      displayName: name,
      language: 'de',
    })
  }
  async function addGuest(name: string, eventId: number, isActive = true): Promise<GuestActor> {
    await world.db.write
      .insertInto('guest_share')
      .values({ event_id: eventId, token_hash: Buffer.from(`share ${eventId}`), token_sealed: '', active: isActive })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { id } = await world.db.write
      .insertInto('guest')
      .values({
        event_id: eventId,
        display_name: name,
        email: `${name}@guest.example`,
        date_of_birth: '1990-01-01',
        access_token_hash: Buffer.from(`guest ${name} ${eventId}`),
        email_confirmed_at: world.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return makeActor<GuestActor>({ kind: 'guest', guestId: id, eventId, displayName: name, language: 'en' })
  }
  async function addShift(wish: EventOptions = {}): Promise<{ id: number; shift: number }> {
    const shifts = wish.shifts ?? [{ flow: 'instant_confirmation', flowConfiguration: LEAVES }]
    const { id, shifts: made } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], ...wish, shifts })
    return { id, shift: made[0]! }
  }
  const unshare = (eventId: number) => world.db.write.deleteFrom('event_share').where('event_id', '=', eventId).execute()

  test('a visitor signs up, changes details and declines in an event that is shared with their instance', async () => {
    const nina = await addVisitor('Nina')
    const { id, shift } = await addShift({ sharedWith: [NORD] })
    assert.equal(codeOf(await signUp(as(nina), { shiftId: shift, comment: { text: 'Hello', isPublic: false } })), 1)
    assert.equal(codeOf(await signUp(as(nina), { shiftId: shift })), 'already_in')
    const times = { start: new Date('2031-05-04T06:15:00Z'), end: null }
    assert.equal(codeOf(await customize(as(nina), { shiftId: shift, details: { times } })), 1)
    assert.equal(codeOf(await decline(as(nina), { shiftId: shift })), 2)
    const { rows } = await sql`
      select p.kind, p.state, c.author_kind, c.author_id, array(
        select j.actor_kind || ' ' || j.kind from journal j where j.event_id = ${id} order by j.id) as journal
      from participation p join participation_comment c on c.participation_id = p.id
      where p.visitor_id = ${nina.visitorId}`.execute(world.db.read)
    assert.deepEqual(rows, [
      {
        kind: 'visitor',
        state: 2,
        author_kind: 'participant',
        author_id: null,
        journal: ['visitor participation.signed_up', 'visitor participation.customized', 'visitor participation.declined'],
      },
    ])
  })

  test('a visitor finds nothing in an event that is not shared, is a draft, or was deleted', async () => {
    const nina = await addVisitor('Nina of no share')
    const cases: EventOptions[] = [{}, { sharedWith: [NORD], draft: true }, { sharedWith: [NORD], deleted: true }]
    for (const wish of cases) {
      const { shift } = await addShift(wish)
      for (const act of [signUp, decline, customize]) await assert.rejects(act(as(nina), { shiftId: shift }), notFound)
    }
  })

  test('a visitor of one partner finds nothing in an event that is shared with another', async () => {
    const nina = await addVisitor('Nina of Nord')
    const { id: south } = await world.db.write
      .insertInto('federated_guest')
      .values({ name: 'South', url: 'https://south.example', client_id: 'x', client_secret_sealed: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id, shift } = await addShift()
    await world.db.write.insertInto('event_share').values({ event_id: id, federated_guest_id: south }).execute()
    await assert.rejects(signUp(as(nina), { shiftId: shift }), notFound)
    // Neither by naming the other partner, because the record belongs to their own.
    const posing = makeActor<VisitorActor>({ ...nina, federatedGuestId: south })
    await assert.rejects(signUp(as(posing), { shiftId: shift }), notFound)
    await world.db.write.insertInto('event_share').values({ event_id: id, federated_guest_id: NORD.id }).execute()
    await assert.rejects(signUp(as(posing), { shiftId: shift }), notFound)
    assert.equal(codeOf(await signUp(as(nina), { shiftId: shift })), 1)
  })

  test('sign-up for a cancelled event is refused, for visitors and guests too', async () => {
    const { id, shift } = await addShift({ sharedWith: [NORD], cancelled: true })
    for (const actor of [await addVisitor('Nina of the storm'), await addGuest('Gus of the storm', id)]) {
      assert.equal(codeOf(await signUp(as(actor), { shiftId: shift })), 'event_cancelled')
      assert.equal(codeOf(await decline(as(actor), { shiftId: shift })), 'event_cancelled')
    }
  })

  test('the share is checked at every action', async () => {
    const nina = await addVisitor('Nina the first')
    const { id, shift } = await addShift({ sharedWith: [NORD] })
    assert.equal(codeOf(await signUp(as(nina), { shiftId: shift })), 1)
    await unshare(id)
    for (const act of [signUp, decline, customize]) await assert.rejects(act(as(nina), { shiftId: shift }), notFound)
  })

  test('a share that ends while a visitor waits for the locks is refused', async () => {
    const nina = await addVisitor('Nina the second')
    const { id, shift } = await addShift({ sharedWith: [NORD] })
    const guard = { ...GUARD, lockPeople: () => unshare(id).then(() => {}) }
    await assert.rejects(signUp(as(nina), { shiftId: shift }, guard), notFound)
  })

  test('a share cannot end between the check and the record; without the lock it could', async () => {
    const nina = await addVisitor('Nina the third')
    const tryToEnd = async (eventId: number) => {
      try {
        await sql`select from event_share where event_id = ${eventId} for update nowait`.execute(world.db.write)
        return 'ended'
      } catch (error) {
        return (error as { code?: string }).code === '55P03' ? 'has to wait' : Promise.reject(error)
      }
    }
    const seen: string[] = []
    for (const locks of [GUARD, { ...GUARD, lockShare: async () => {} }]) {
      const { id, shift } = await addShift({ sharedWith: [NORD] })
      const checked = async () => void seen.push(await tryToEnd(id))
      await signUp(as(nina), { shiftId: shift }, { ...locks, checked })
    }
    assert.deepEqual(seen, ['has to wait', 'ended'])
  })

  test('qualifications and age of a visitor come from the visit', async () => {
    const medic = await world.addQualification('Medic for visitors')
    const nina = await addVisitor('Nina the medic')
    const kid = await addVisitor('Kid', '2020-01-01')
    const configuration = { required_qualification_ids: [medic.id], minimum_age: 18 }
    const { shift } = await addShift({ sharedWith: [NORD], shifts: [{ configuration }] })
    assert.equal(codeOf(await signUp(as(kid), { shiftId: shift })), 'too_young,not_qualified')
    assert.equal(codeOf(await signUp(as(nina), { shiftId: shift })), 'not_qualified')
    await world.db.write
      .insertInto('visitor_qualification')
      .values({ visitor_id: nina.visitorId, qualification_id: medic.id })
      .execute()
    const ask = { ...as(nina), words: undefined as never }
    assert.equal((await findEligibility(ask, [shift])).get(shift)?.canSignUp, true)
    assert.equal(codeOf(await signUp(as(nina), { shiftId: shift })), 0)
    const who = { kind: 'visitor' as const, id: nina.visitorId }
    assert.ok((await moveOnBoard(contextAs(world, PAUL), { shiftId: shift, who, to: 1 })).ok)
  })

  test('a visitor cannot be confirmed for two shifts at the same time', async () => {
    const nina = await addVisitor('Nina the busy')
    const first = await addShift({ sharedWith: [NORD] })
    const second = await addShift({ sharedWith: [NORD] })
    assert.equal(codeOf(await signUp(as(nina), { shiftId: first.shift })), 1)
    assert.equal(codeOf(await signUp(as(nina), { shiftId: second.shift })), 'conflict')
  })

  test('a guest acts only in their own event and while its link is active', async () => {
    const { id, shift } = await addShift()
    const other = await addShift()
    const gus = await addGuest('Gus', id)
    await addGuest('Gerd', other.id)
    assert.equal(codeOf(await signUp(as(gus), { shiftId: shift })), 1)
    await assert.rejects(signUp(as(gus), { shiftId: other.shift }), notFound)
    const pretender = makeActor<GuestActor>({ ...gus, eventId: other.id })
    await assert.rejects(signUp(as(pretender), { shiftId: other.shift }), notFound)
    await world.db.write.updateTable('guest_share').set({ active: false }).where('event_id', '=', id).execute()
    await assert.rejects(decline(as(gus), { shiftId: shift }), notFound)
  })

  test('qualifications that a guest enters are enough to ask, and for a place once they are verified', async () => {
    const medic = await world.addQualification('Medic for guests')
    const needs = { flow: 'instant_confirmation', configuration: { required_qualification_ids: [medic.id] } }
    const { id, shifts } = await world.addEvent({ shifts: [needs, needs] })
    const gus = await addGuest('Gus the medic', id)
    const signUpFor = async (index: number) => codeOf(await signUp(as(gus), { shiftId: shifts[index]! }))
    assert.equal(await signUpFor(0), 'not_qualified')
    const declared = { guest_id: gus.guestId, qualification_id: medic.id }
    await world.db.write.insertInto('guest_qualification').values(declared).execute()
    assert.equal(await signUpFor(0), 0)
    await world.db.write
      .updateTable('guest_qualification')
      .set({ verified_at: world.now, verified_by_id: PAUL.id })
      .where('guest_id', '=', gus.guestId)
      .execute()
    assert.equal(await signUpFor(1), 1)
  })

  test('a visitor’s sign-up takes over an imported participation in state 4', async () => {
    const { id, shift } = await addShift({ sharedWith: [NORD] })
    await addParticipation(world.db.write, { who: { visitor: { name: 'Nora' }, of: NORD }, shift, state: 4 }, world.now)
    const { visitor_id } = await world.db.read
      .selectFrom('participation')
      .select('visitor_id')
      .where('event_id', '=', id)
      .executeTakeFirstOrThrow()
    const nora = makeActor<VisitorActor>({
      kind: 'visitor',
      visitorId: visitor_id!,
      federatedGuestId: NORD.id,
      displayName: 'Nora',
      language: 'en',
    })
    assert.equal(codeOf(await signUp(as(nora), { shiftId: shift })), 1)
  })

  test('partners and anonymous callers cannot take part', async () => {
    const { shift } = await addShift({ sharedWith: [NORD] })
    const nord = makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: NORD.id, tokenId: 1 })
    for (const actor of [nord, ANONYMOUS])
      await assert.rejects(signUp(as(actor), { shiftId: shift }), (error) => (error as Problem).code === 'permission_denied')
  })

  test('visitors and guests cannot use the API or pages for members', async () => {
    for (const actor of [await addVisitor('Nina at the door'), await addGuest('Gus at the door', (await addShift()).id)]) {
      for (const access of [scope('PUBLIC_READ'), scope('CONFIDENTIAL_READ', 'view_user'), anyUser]) {
        assert.throws(
          () => checkApiAccess(access, actor, 'valid'),
          (error) => (error as Problem).code === 'not_authenticated',
        )
      }
      assert.throws(
        () => checkApiAccess(partner, actor, 'valid'),
        (error) => (error as Problem).code === 'permission_denied',
      )
      for (const access of [signedIn, staff, permission('view_user')])
        assert.equal(checkPageAccess(access, actor), 'sign-in-first')
    }
  })
})
