import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/users/queries/actor.ts'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/catalogue.ts'
import type { Choices } from '../rules/kinds.ts'
import type { Receiver } from '../schema.ts'

/** Whom a mail goes to, and as whom the links in it are opened. */
export type Reachable = {
  name: string
  email: string
  /** Undefined for people without an account: they have not chosen any. */
  language: Language | undefined
  choices: Choices
  actor: Actor
  /** The partner instance by which a visitor comes. */
  federatedGuestId: number | undefined
}

type UserRow = ActorRow & { email_invalid: boolean; is_active: boolean; disabled: unknown; enabled: unknown }
type StrangerRow = { display_name: string; email: string; federated_guest_id: number | null }

export const NO_CHOICES: Choices = { disabled: [], enabled: [] }

/** Undefined: gone. The reason tells why nobody writes to them. */
export async function getReceiver(
  db: Kysely<DB>,
  person: Receiver,
): Promise<{ reachable: Reachable } | { reachable?: undefined; reason: 'gone' | 'inactive' | 'address' }> {
  if (person.kind !== 'user') return getStranger(db, person)
  const { rows } = await sql<UserRow>`
    select ${actorColumns}, u.email_invalid, u.is_active, u.disabled_notifications as disabled, u.enabled_notifications as enabled
    from user_profile u where u.id = ${person.id}`.execute(db)
  const row = rows[0]
  if (!row) return { reason: 'gone' }
  if (!row.is_active) return { reason: 'inactive' }
  if (row.email_invalid) return { reason: 'address' }
  const actor = actorFrom(row, { kind: 'token', tokenId: 0, scopes: new Set() })
  return {
    reachable: {
      name: row.display_name,
      email: row.email,
      language: actor.language,
      actor,
      choices: { disabled: row.disabled, enabled: row.enabled },
      federatedGuestId: undefined,
    },
  }
}

async function getStranger(db: Kysely<DB>, { kind, id }: Receiver): ReturnType<typeof getReceiver> {
  const { rows } =
    kind === 'guest'
      ? await sql<StrangerRow>`select display_name, email, null::bigint as federated_guest_id from guest where id = ${id}`.execute(
          db,
        )
      : await sql<StrangerRow>`select display_name, email, federated_guest_id from visitor where id = ${id}`.execute(db)
  const row = rows[0]
  if (!row?.email) return { reason: row ? 'address' : 'gone' }
  return {
    reachable: {
      name: row.display_name,
      email: row.email,
      language: undefined,
      actor: ANONYMOUS,
      choices: NO_CHOICES,
      federatedGuestId: row.federated_guest_id ?? undefined,
    },
  }
}

/** Who planned it answers questions: the first responsible by name who can be written to. */
export async function getReplyAddress(db: Kysely<DB>, eventId: number, preferredId: number | null): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select u.email from user_profile u
    where u.is_active and not u.email_invalid and u.is_visible and u.id in (
      select g.user_id from event_user_grant g where g.event_id = ${eventId} and g.permission = 'change'
      union select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id
        where g.event_id = ${eventId} and g.permission = 'change')
    order by u.id is distinct from ${preferredId}, u.id limit 1`.execute(db)
  return rows[0]?.email
}
