import { hashSecret, type Keyring, randomSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { type Calendar, DAY } from '#platform/sample-data/calendar.ts'
import type { QualificationKey, Qualifications } from './qualifications.ts'

export type Visitor = { id: number; name: string; birthday: string; holds: QualificationKey[] }
export type Partner = { guestId: number; visitors: Visitor[] }

type Loading = { language: SourceLanguage; tx: Tx; now: Date; calendar: Calendar; keyring: Keyring }

const PARTNER = { en: 'Northshore First Aid', de: 'Sanitätszug Nord' }

/** A partner that our events are shared with. Paused, because demo data must not open connections. */
export async function loadPartner({ language, tx, now, calendar, keyring }: Loading, { idOf }: Qualifications): Promise<Partner> {
  const { id: guestId } = await tx
    .insertInto('federated_guest')
    .values({
      name: PARTNER[language],
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
      description: PARTNER[language],
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
