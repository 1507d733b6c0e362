import { hashSecret, type Keyring, randomSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { type Calendar, DAY } from '#platform/sample-data/calendar.ts'
import { emailOf } from './names.ts'
import type { Qualifications } from './qualifications.ts'

const NAMES: Record<SourceLanguage, readonly string[]> = {
  en: ['Mia Summers', 'Robert Fox', 'Lena Aydin', 'George Mills', 'Hilda Cross', 'Samuel Okoro'],
  de: ['Mia Sommer', 'Robert Fuchs', 'Lena Aydin', 'George Miller', 'Hilde Kruse', 'Samuel Okoro'],
}

export type Guest = { id: number; name: string; birthday: string; isVerified: boolean }

type Loading = { language: SourceLanguage; tx: Tx; now: Date; calendar: Calendar; keyring: Keyring }
type Guests = { eventId: number; count: number; verifierId: number; qualifications: Qualifications }

/**
 * A guest link of one event with its guests. Every second guest has a confirmed address, and a first-aid certificate that a
 * responsible has confirmed.
 */
export async function loadGuests(
  { language, tx, now, calendar, keyring }: Loading,
  { eventId, count, verifierId, qualifications }: Guests,
): Promise<Guest[]> {
  const link = randomSecret(40)
  await tx
    .insertInto('guest_share')
    .values({ event_id: eventId, token_hash: hashSecret(link), token_sealed: keyring.seal(link) })
    .execute()
  const guests: Guest[] = []
  for (let index = 0; index < count; index++) {
    const name = NAMES[language][(eventId + index) % NAMES[language].length]!
    const birthday = calendar.dayFrom(-13 * (index + 3), -(24 + 7 * index))
    const isVerified = index % 2 === 0
    const token = randomSecret(40)
    const { id } = await tx
      .insertInto('guest')
      .values({
        event_id: eventId,
        email: emailOf(name),
        display_name: name,
        date_of_birth: birthday,
        created_at: new Date(now.getTime() - 10 * DAY),
        access_token_hash: hashSecret(token),
        access_token_sealed: keyring.seal(token),
        email_confirmed_at: isVerified ? new Date(now.getTime() - 10 * DAY) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('guest_qualification')
      .values({
        guest_id: id,
        qualification_id: qualifications.idOf.EH,
        ...(isVerified ? { verified_by_id: verifierId, verified_at: new Date(now.getTime() - 9 * DAY) } : {}),
      })
      .execute()
    guests.push({ id, name, birthday, isVerified })
  }
  return guests
}
