import { hashSecret, type Keyring, randomSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { type Calendar, DAY, HOUR } from './calendar.ts'
import { castMember, type Person } from './people.ts'
import type { QualificationKey, Qualifications } from './qualifications.ts'

export type Visitor = { id: number; name: string; birthday: string; holds: QualificationKey[] }
export type Partner = { guestId: number; visitors: Visitor[] }

type Loading = { tx: Tx; now: Date; calendar: Calendar; keyring: Keyring }

/** A partner that our events are shared with. Paused, because demo data must not open connections. */
export async function loadPartner({ tx, now, calendar, keyring }: Loading, { idOf }: Qualifications): Promise<Partner> {
  const { id: guestId } = await tx
    .insertInto('federated_guest')
    .values({
      name: 'Sanitätszug Nord',
      url: 'https://nord.example',
      client_id: 'turnout-ahrensmuende',
      paused: true,
      client_secret_sealed: keyring.seal(randomSecret(64)),
      created_at: new Date(now.getTime() - 120 * DAY),
      last_contact_at: new Date(now.getTime() - 2 * DAY),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('access_token')
    .values({
      kind: 'federation',
      token_hash: hashSecret(randomSecret(40)),
      federated_guest_id: guestId,
      description: 'Sanitätszug Nord',
      created_at: new Date(now.getTime() - 120 * DAY),
    })
    .execute()
  const plans: Omit<Visitor, 'id'>[] = [
    { name: 'Nora Lindqvist', birthday: calendar.dayFrom(-75, -31), holds: ['RS', 'B'] },
    { name: 'Tom Fielding', birthday: calendar.dayFrom(-20, -44), holds: ['SanH'] },
  ]
  const rows = await tx
    .insertInto('visitor')
    .values(
      plans.map(({ name, birthday }, index) => ({
        federated_guest_id: guestId,
        remote_id: 41 + index,
        display_name: name,
        date_of_birth: birthday,
        email: `${name.toLowerCase().replace(' ', '.')}@demo.example`,
        created_at: new Date(now.getTime() - 100 * DAY),
        refreshed_at: new Date(now.getTime() - 2 * DAY),
      })),
    )
    .returning('id')
    .execute()
  const visitors = plans.map((plan, index) => ({ ...plan, id: rows[index]!.id }))
  await tx
    .insertInto('visitor_qualification')
    .values(visitors.flatMap(({ id, holds }) => holds.map((key) => ({ visitor_id: id, qualification_id: idOf[key] }))))
    .execute()
  return { guestId, visitors }
}

/** A partner that shares events with us, with copies of these events. */
export async function loadHost({ tx, now, calendar, keyring }: Loading, people: Person[]): Promise<void> {
  const lastSuccess = new Date(now.getTime() - 26 * HOUR)
  const { id: hostId } = await tx
    .insertInto('federated_host')
    .values({
      name: 'Wasserwacht Seenland',
      url: 'https://seenland.example',
      paused: true,
      last_latency_ms: 84,
      access_token_sealed: keyring.seal(randomSecret(40)),
      created_at: new Date(now.getTime() - 90 * DAY),
      last_attempt_at: lastSuccess,
      last_success_at: lastSuccess,
      next_attempt_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const event = (remoteId: number, title: string, location: string, start_time: Date, end_time: Date) => ({
    host_id: hostId,
    remote_id: remoteId,
    title,
    location,
    start_time,
    end_time,
    type_title: 'Wasserrettung',
    fetched_at: lastSuccess,
    description: 'We are short of people who can **drive a trailer**.',
    signup_url: `https://seenland.example/events/${remoteId}/`,
  })
  const [regatta] = await tx
    .insertInto('partner_event')
    .values([
      event(512, 'Regatta auf dem Waldsee', 'Bootshaus Waldsee', calendar.at(2, 7, '09:00'), calendar.at(2, 7, '18:00')),
      event(530, 'Lifeguards at the triathlon', 'Strandbad', calendar.at(6, 7, '07:00'), calendar.at(6, 7, '15:00')),
    ])
    .returning(['id', 'start_time', 'end_time'])
    .execute()
  await tx
    .insertInto('participation_abroad')
    .values({
      partner_event_id: regatta!.id,
      user_id: castMember(people, 'paul').id,
      remote_shift_id: 1201,
      shift_label: 'Boot 2',
      state: 0,
      start_time: regatta!.start_time!,
      end_time: regatta!.end_time!,
      fetched_at: lastSuccess,
    })
    .execute()
}
