import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import type { Reading } from '#features/accounts/users/queries/guardians.ts'
import { findRecipients } from '#features/accounts/users/queries/recipient.ts'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { isAddress } from '#platform/no-address.ts'
import type { Choices } from '../rules/channels.ts'
import type { Recipient } from '../schema.ts'

export type NotificationMailbox = {
  email: string
  /** Of the reader. */
  name: string
  /** Undefined for visitors, and for guests whose language is not known. */
  language: Language | undefined
  /** Whom the mail is for, if others read the mailbox, too. */
  about?: string | undefined
  /** The account whose own address it is; undefined: a shared address, or that of a person without an account. */
  ownerId?: number | undefined
  /** The reader is a guardian of this person. */
  childId?: number | undefined
}

export type MailRecipient = {
  mailboxes: readonly NotificationMailbox[]
  /** Undefined for visitors, and for guests whose language is not known. */
  language: Language | undefined
  choices: Choices
  /** Decides which events the mail may link to. */
  actor: Actor
  /** The partner instance of a visitor. */
  federatedGuestId: number | undefined
}

type UserRow = ActorRow & { is_active: boolean; disabled: unknown; enabled: unknown }
type ExternalRow = {
  display_name: string
  email: string
  federated_guest_id: number | null
  language: Language | null
}

const NO_CHOICES: Choices = { disabled: [], enabled: [] }

type Result = { ok: true; recipient: MailRecipient } | { ok: false; reason: 'gone' | 'inactive' | 'address' }

export async function getMailRecipient(context: Reading, person: Recipient): Promise<Result> {
  const { db } = context
  if (person.kind !== 'user') return getExternalRecipient(db, person)
  const row = await rowsOf(db).first(sql<UserRow>`
    select ${actorColumns}, u.is_active and not u.is_service_account as is_active, u.disabled_notifications as disabled, u.enabled_notifications as enabled
    from user_profile u where u.id = ${person.id}`)
  if (!row) return { ok: false, reason: 'gone' }
  if (!row.is_active) return { ok: false, reason: 'inactive' }
  const actor = actorFrom(row, { kind: 'token', tokenId: 0, scopes: new Set() })
  return {
    ok: true,
    recipient: {
      mailboxes: (await findRecipients(context, person.id, 'news')).map(({ isGuardian, ...mailbox }) => ({
        ...mailbox,
        ...(isGuardian ? { childId: person.id } : {}),
      })),
      language: actor.language,
      actor,
      choices: { disabled: row.disabled, enabled: row.enabled },
      federatedGuestId: undefined,
    },
  }
}

async function getExternalRecipient(db: Kysely<DB>, { kind, id }: Recipient): Promise<Result> {
  const { rows } =
    kind === 'guest'
      ? await sql<ExternalRow>`select display_name, email, null::bigint as federated_guest_id, language from guest where id = ${id}`.execute(
          db,
        )
      : await sql<ExternalRow>`select display_name, email, federated_guest_id, null as language from visitor where id = ${id}`.execute(
          db,
        )
  const row = rows[0]
  if (!row?.email || !isAddress(row.email)) return { ok: false, reason: row ? 'address' : 'gone' }
  return {
    ok: true,
    recipient: {
      mailboxes: [{ name: row.display_name, email: row.email, language: row.language ?? undefined }],
      language: row.language ?? undefined,
      actor: ANONYMOUS,
      choices: NO_CHOICES,
      federatedGuestId: row.federated_guest_id ?? undefined,
    },
  }
}

/** A responsible who can get mail: the preferred one, or else the one with the lowest id. */
export async function getReplyAddress(db: Kysely<DB>, eventId: number, preferredId: number | null): Promise<string | undefined> {
  const row = await rowsOf(db).first(sql<{ email: string }>`
    select u.email from user_profile u
    where u.is_active and not u.email_invalid and u.is_visible and u.id in (
      select g.user_id from event_user_grant g where g.event_id = ${eventId} and g.permission = 'change'
      union select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id
        where g.event_id = ${eventId} and g.permission = 'change')
    order by u.id is distinct from ${preferredId}, u.id limit 1`)
  return row?.email
}
