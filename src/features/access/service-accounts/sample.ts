import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { castMember, type SampleContext } from '#platform/features/sample-data.ts'
import { DAY } from '#platform/sample-data/calendar.ts'

/** A display on the wall that reads events. Nobody knows the key: to try it, people make a new one on the page. */
export async function loadServiceAccount(context: SampleContext): Promise<void> {
  const { language, tx, now, groups } = context
  const olga = castMember(context, 'olga')
  const before = (days: number) => new Date(now.getTime() - days * DAY)
  const { id } = await tx
    .insertInto('user_profile')
    .values({
      display_name: { en: 'Screen in the vehicle bay', de: 'Bildschirm Fahrzeughalle' }[language],
      email: 'bildschirm@service-account.invalid',
      email_invalid: true,
      is_visible: false,
      is_service_account: true,
      preferred_language: language,
      created_at: before(40),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('user_group_member').values({ user_id: id, group_id: groups.members }).execute()
  await tx
    .insertInto('service_account')
    .values({
      user_id: id,
      scopes: ['PUBLIC_READ'],
      allowed_networks: ['192.168.0.0/16'],
      allowed_origins: [{ en: 'https://display.saltmouth.example', de: 'https://display.ahrensmuende.example' }[language]],
      created_by_id: olga.id,
      created_at: before(40),
    })
    .execute()
  const key = randomSecret(40)
  await tx
    .insertInto('access_token')
    .values({
      token_hash: hashSecret(key),
      kind: 'service',
      user_id: id,
      description: `…${key.slice(-4)}`,
      created_at: before(40),
    })
    .execute()
}
