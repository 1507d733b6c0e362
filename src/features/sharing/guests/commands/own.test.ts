import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type GuestActor, makeActor } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { contextAs } from '#test/support/command-context.ts'
import { PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { changeOwnDetails } from './own.ts'
import { switchGuestShare } from './share.ts'

describe('a guest changes the own address', async () => {
  const world = await openWorld()
  const { write } = world.db
  const PROVED = new Date('2031-05-01T08:00:00Z')
  const SHIFT = { start: '2031-05-06T08:00:00+02:00', end: '2031-05-06T12:00:00+02:00' }
  const fair = await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [SHIFT] })
  const market = await world.addEvent({ title: 'Market', responsible: [PAUL], shifts: [SHIFT] })
  const addGuest = async (eventId: number, email: string) => {
    const row = {
      event_id: eventId,
      email,
      display_name: 'Gus',
      date_of_birth: '1990-02-03',
      created_at: world.now,
      email_confirmed_at: PROVED,
      access_token_hash: hashSecret(`${eventId} ${email}`),
      access_token_sealed: world.app.site.keyring.seal(email),
    }
    return (await write.insertInto('guest').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  for (const { id } of [fair, market]) await switchGuestShare(contextAs(world, PAUL), id, true)
  await addGuest(fair.id, 'Other@mail.example')
  await addGuest(market.id, 'market@mail.example')

  const done = (isChanged: boolean, isMailed: boolean) => ({ ok: true, isChanged, isMailed })
  const TAKEN = { ok: false, reason: 'email_taken' }
  const CASES: [what: string, email: string, outcome: object, stored: string, isProved: boolean][] = [
    ['to a new one', 'new@mail.example', done(true, true), 'new@mail.example', false],
    ['to the same one', 'own1@mail.example', done(false, false), 'own1@mail.example', true],
    ['to other letters of it', 'OWN2@mail.example', done(true, false), 'OWN2@mail.example', true],
    ['to that of another guest, in other letters', 'oTHER@mail.example', TAKEN, 'own3@mail.example', true],
    ['to that of a guest of another event', 'market@mail.example', done(true, true), 'market@mail.example', false],
  ]
  for (const [n, [what, email, outcome, stored, isProved]] of CASES.entries())
    test(what, async () => {
      const guestId = await addGuest(fair.id, `own${n}@mail.example`)
      const actor = makeActor<GuestActor>({ kind: 'guest', guestId, eventId: fair.id, displayName: 'Gus', language: 'en' })
      const context = { db: write, now: world.now, site: world.app.site, requestId: null, actor }
      const form = { name: 'Gus', email, date_of_birth: '1990-02-03', phone: null, qualifications: [] }
      assert.deepEqual(await changeOwnDetails(context, form), outcome)
      const after = await write
        .selectFrom('guest')
        .select(['email', 'display_name', 'email_confirmed_at'])
        .where('id', '=', guestId)
        .executeTakeFirstOrThrow()
      assert.deepEqual(after, { email: stored, display_name: 'Gus', email_confirmed_at: isProved ? PROVED : null })
    })
})
