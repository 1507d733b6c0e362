import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import { openWorld } from '#test/support/world.ts'
import { findGuests } from './queries.ts'

test('the list of guests has the places and qualifications of each one, by name', async () => {
  const world = await openWorld()
  const { write } = world.db
  const event = await world.addEvent({ title: 'Fair', shifts: [{}, {}, {}] })
  const other = await world.addEvent({ title: 'Market', shifts: [{}] })
  const add = async (eventId: number, name: string) =>
    (
      await write
        .insertInto('guest')
        .values({
          event_id: eventId,
          email: `${name.toLowerCase()}@mail.example`,
          display_name: name,
          date_of_birth: '1990-02-03',
          phone: name === 'Gus' ? '123' : null,
          created_at: world.now,
          email_confirmed_at: name === 'Gus' ? world.now : null,
          mail_failure: name === 'ada' ? 'no such mailbox' : null,
          access_token_hash: hashSecret(name),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const [gus, ada, mia] = [await add(event.id, 'Gus'), await add(event.id, 'ada'), await add(other.id, 'Mia')]
  const [first, second, third] = event.shifts
  for (const [guestId, shift, state] of [
    [gus, first, 0],
    [gus, second, 1],
    [gus, third, 1],
    [ada, first, 2],
    [ada, second, 1],
    [mia, other.shifts[0], 0],
  ] as const)
    await sql`insert into participation (kind, guest_id, shift_id, state, start_time, end_time)
      select 'guest', ${guestId}, id, ${state}, start_time, end_time from shift where id = ${shift}`.execute(write)
  const category = await write
    .insertInto('qualification_category')
    .values({ title: 'C' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const skill = async (title: string) =>
    (
      await write
        .insertInto('qualification')
        .values({ title, category_id: category.id })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const [pump, boat, axe] = [await skill('Pump'), await skill('boat'), await skill('Axe')]
  await write
    .insertInto('guest_qualification')
    .values([
      { guest_id: gus, qualification_id: pump, verified_at: world.now },
      { guest_id: gus, qualification_id: boat, rejected_at: world.now },
      { guest_id: gus, qualification_id: axe },
      { guest_id: mia, qualification_id: axe },
    ])
    .execute()

  const common = { birthDate: '1990-02-03', registeredAt: world.now, tokenSealed: null }
  const GUS = {
    ...common,
    id: gus,
    name: 'Gus',
    email: 'gus@mail.example',
    phone: '123',
    isProved: true,
    mailFailure: null,
    requested: 1,
    confirmed: 2,
    declared: [
      { id: axe, title: 'Axe', state: 'waiting' },
      { id: boat, title: 'boat', state: 'rejected' },
      { id: pump, title: 'Pump', state: 'verified' },
    ],
  }
  const ADA = {
    ...common,
    id: ada,
    name: 'ada',
    email: 'ada@mail.example',
    phone: null,
    isProved: false,
    mailFailure: 'no such mailbox',
    requested: 0,
    confirmed: 1,
    declared: [],
  }
  assert.deepEqual(await findGuests(write, event.id), [ADA, GUS])
  assert.deepEqual(await findGuests(write, event.id, gus), [GUS])
  assert.deepEqual(await findGuests(write, event.id, mia), [], 'a guest of another event')
})
