import { type Kysely, sql } from 'kysely'
import type { Site } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { formatShareString } from '../rules/invitations.ts'

export type OpenInvite = { id: number; url: string; expiresAt: Date; by: string | null }

const isOpen = (now: Date) => sql`i.used_at is null and i.expires_at >= ${now}`

export async function findOpenInvites(db: Kysely<DB>, now: Date): Promise<OpenInvite[]> {
  return rowsOf(db).all(sql<OpenInvite>`
    select i.id, i.url, i.expires_at as "expiresAt", u.display_name as by
    from invite_code i left join user_profile u on u.id = i.created_by_id
    where ${isOpen(now)} order by i.expires_at, i.id`)
}

type InviteWithCode = OpenInvite & { shareString: string }

/** Undefined if used, withdrawn or expired. */
export async function getOpenInvite(
  db: Kysely<DB>,
  { keyring, url: hostUrl }: Site,
  now: Date,
  id: number,
): Promise<InviteWithCode | undefined> {
  const row = await rowsOf(db).first(sql<OpenInvite & { sealed: string }>`
    select i.id, i.url, i.expires_at as "expiresAt", u.display_name as by, i.code_sealed as sealed
    from invite_code i left join user_profile u on u.id = i.created_by_id where i.id = ${id} and ${isOpen(now)}`)
  if (!row) return undefined
  const { sealed, ...invite } = row
  return { ...invite, shareString: formatShareString({ guestUrl: invite.url, code: keyring.unseal(sealed), hostUrl }) }
}
