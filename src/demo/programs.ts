import { randomBytes } from 'node:crypto'
import { hashSecret, type Keyring, randomSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { DAY } from './calendar.ts'
import type { Groups } from './groups.ts'
import { castMember, type Person } from './people.ts'

type Loading = { tx: Tx; now: Date; keyring: Keyring; groups: Groups; people: Person[] }

/**
 * A display on the wall that reads events by a service account, and a webhook that is paused. Nobody knows the key and the secret: to try
 * them, people make new ones on the pages.
 */
export async function loadPrograms({ tx, now, keyring, groups, people }: Loading): Promise<void> {
  const olga = castMember(people, 'olga')
  const before = (days: number) => new Date(now.getTime() - days * DAY)
  const { id } = await tx
    .insertInto('user_profile')
    .values({
      display_name: 'Bildschirm Fahrzeughalle',
      email: 'bildschirm@service-account.invalid',
      email_invalid: true,
      is_visible: false,
      is_service_account: true,
      preferred_language: 'de',
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
      allowed_origins: ['https://display.ahrensmuende.example'],
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

  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const webhook = await tx
    .insertInto('webhook')
    .values({
      owner_id: olga.id,
      name: 'Dienstplan der Stadt',
      description: 'Überträgt Veranstaltungen und Schichten in den Kalender der Stadtverwaltung.',
      url: 'https://dienstplan.ahrensmuende.example/turnout',
      kinds: ['event', 'shift'],
      scopes: ['PUBLIC_READ'],
      active: false,
      off_at: before(2),
      secret_sealed: keyring.seal(secret),
      created_at: before(30),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const feed = await tx.selectFrom('change_feed').select(['id', 'position']).executeTakeFirstOrThrow()
  await tx
    .insertInto('webhook_queue')
    .values({ webhook_id: webhook.id, feed_id: feed.id, position: feed.position, next_at: now })
    .execute()
}
