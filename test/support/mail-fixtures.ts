import assert from 'node:assert/strict'
import { createServiceAccount } from '#features/access/service-accounts/commands/accounts.ts'
import { switchGuestShare } from '#features/sharing/guests/commands/share.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { contextAs } from './command-context.ts'
import { ANN, NORD, OLGA, PAUL, type Person } from './people.ts'
import type { World } from './world.ts'

export type MailFixtures = Awaited<ReturnType<typeof addMailFixtures>>

const DAY_MS = 24 * 3600_000
const START = '2031-05-06T08:00:00+02:00'

/** What mails can be about; Olga reads most of them, as planner, administrator and guardian. */
export async function addMailFixtures(world: World) {
  const { write } = world.db
  const { now } = world
  const later = new Date(now.getTime() + 3 * DAY_MS)
  const { id: event, shifts } = await world.addEvent({
    title: 'Fair',
    responsible: [OLGA, PAUL],
    seenBy: [OLGA, ANN],
    sharedWith: [NORD],
    shifts: [{ start: START }, { start: '2031-05-07T08:00:00+02:00' }],
  })
  const [shift, otherShift] = shifts as [number, number]
  await switchGuestShare(contextAs(world, PAUL), event, true)
  const placeOfAnn = await world.addParticipation({ who: ANN, shift })
  const placeOfOlga = await world.addParticipation({ who: OLGA, shift: otherShift })
  const child = await world.addPerson({ name: 'Kim', dateOfBirth: '2018-01-01' })
  await write.insertInto('guardianship').values({ guardian_id: OLGA.id, child_id: child.id, since: now }).execute()
  await world.grantsEvent(child, event, 'view')
  const guests = await addGuests(world, event)
  return {
    world,
    event,
    shift,
    child,
    ...guests,
    ...(await addOffers(world, { shift, otherShift, placeOfAnn, placeOfOlga, until: later })),
    ...(await addAccounts(world, later)),
    visitor: await idOf(
      write.insertInto('visitor').values({ federated_guest_id: NORD.id, display_name: 'Vic', email: 'vic@nord.example' }),
    ),
    message: await idOf(
      write
        .insertInto('event_message')
        .values({ event_id: event, author_id: PAUL.id, subject: 'Gloves', text: 'Bring gloves.', created_at: now }),
    ),
    qualification: (await world.addQualification('Medic')).id,
  }
}

type Insert = { returning: (column: 'id') => { executeTakeFirstOrThrow: () => Promise<{ id: number }> } }
const idOf = async (insert: unknown): Promise<number> => (await (insert as Insert).returning('id').executeTakeFirstOrThrow()).id

async function addGuests({ db: { write }, now }: World, event: number) {
  const add = (name: string, email_confirmed_at: Date | null) =>
    idOf(
      write.insertInto('guest').values({
        event_id: event,
        display_name: name,
        email: `${name}@guest.example`,
        date_of_birth: '1990-01-01',
        access_token_hash: hashSecret(name),
        email_confirmed_at,
        created_at: now,
      }),
    )
  return { guest: await add('gus', null), provedGuest: await add('pia', now) }
}

type Places = { shift: number; otherShift: number; placeOfAnn: number; placeOfOlga: number; until: Date }

/** Questions and offers to Olga. */
async function addOffers({ db: { write }, now }: World, { shift, otherShift, placeOfAnn, placeOfOlga, until }: Places) {
  const inquiry = await idOf(
    write.insertInto('inquiry').values({ shift_id: shift, created_by_id: PAUL.id, created_at: now, wanted: 1, was_short: true }),
  )
  await write
    .insertInto('inquiry_person')
    .values({ inquiry_id: inquiry, user_id: OLGA.id, position: 0, wave: 1, asked_at: now, expires_at: until })
    .execute()
  const entry = await idOf(
    write
      .insertInto('waiting_entry')
      .values({ shift_id: shift, user_id: OLGA.id, since: now, state: 'offered', offered_at: now, offered_until: until }),
  )
  const standIn = await idOf(
    write.insertInto('stand_in').values({ shift_id: shift, participation_id: placeOfAnn, user_id: ANN.id, created_at: now }),
  )
  await write.insertInto('stand_in_person').values({ stand_in_id: standIn, user_id: OLGA.id, asked_at: now }).execute()
  const swap = await idOf(
    write.insertInto('swap').values({
      user_id: ANN.id,
      shift_id: shift,
      participation_id: placeOfAnn,
      other_id: OLGA.id,
      other_shift_id: otherShift,
      other_participation_id: placeOfOlga,
      created_at: now,
      expires_at: until,
    }),
  )
  return { inquiry, entry, standIn, swap }
}

/** What mails about accounts are about. */
async function addAccounts(world: World, expires_at: Date) {
  const { write } = world.db
  const { now } = world
  const changeAddress = (person: Person, new_email: string) =>
    write
      .insertInto('email_change')
      .values({ user_id: person.id, former_email: person.email, new_email, requested_at: now })
      .execute()
  await changeAddress(OLGA, 'olga@new.example')
  await changeAddress(ANN, PAUL.email)
  const register = (email: string) =>
    idOf(
      write.insertInto('registration').values({
        email,
        display_name: 'Nora',
        date_of_birth: '1999-02-03',
        language: 'en',
        password_hash: 'none',
        created_at: now,
        expires_at,
      }),
    )
  const refused = await world.addPerson({ name: 'Rob', isActive: false })
  const request = { kind: 'joining', data: JSON.stringify({}), created_at: now }
  const account = await createServiceAccount(contextAs(world, OLGA), {
    name: 'Wall display',
    scopes: ['PUBLIC_READ'],
    groupIds: [],
    lastDay: '2031-05-06',
    networks: [],
    origins: [],
  })
  assert.ok(account.ok)
  return {
    registration: await register('nora@new.example'),
    registrationOfTaken: await register(PAUL.email),
    refusedRequest: await idOf(
      write.insertInto('decision_request').values({ ...request, user_id: refused.id, state: 'refused', decided_at: now }),
    ),
    request: await idOf(write.insertInto('decision_request').values({ ...request, user_id: OLGA.id })),
    serviceAccount: account.accountId,
    token: await idOf(
      write.insertInto('access_token').values({
        token_hash: hashSecret('expiring'),
        kind: 'personal',
        user_id: OLGA.id,
        scopes: ['ME_READ'],
        description: 'Roster',
        created_at: now,
        expires_at,
      }),
    ),
  }
}
