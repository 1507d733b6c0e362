import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import type { Actor, UserActor } from '#platform/auth/actor.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { secretsMatch } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type AskedPerson, formatToken, parseToken, textToSign } from '../rules/links.ts'
import type { InquiryState } from '../rules/waves.ts'

/** For the links in mails and push messages. It works without a session and allows nothing but one answer. */
export const makeAnswerToken = (keyring: Keyring, asked: AskedPerson): string =>
  formatToken(asked.id, keyring.fingerprint(textToSign(asked)).toString('base64url'))

export type AskedByLink = AskedPerson &
  InquiryState & {
    eventId: number
    inquiryId: number
    message: string
    askedBy: string | null
    actor: Actor & UserActor
    isActive: boolean
    reason: string
  }

type Row = ActorRow &
  Omit<AskedPerson & InquiryState, 'userId'> & {
    eventId: number
    inquiryId: number
    message: string
    askedBy: string | null
    isActive: boolean
    reason: string
  }

/** The person and the question behind a link. Undefined for tokens that this instance did not sign. */
export async function getAskedByLink(db: Kysely<DB>, keyring: Keyring, token: string): Promise<AskedByLink | undefined> {
  const parsed = parseToken(token)
  if (!parsed) return undefined
  // never null: expiresAt (people who have been asked)
  const row = await rowsOf(db).first(sql<Row>`
    select i.id, q.id as "inquiryId", q.shift_id as "shiftId", s.event_id as "eventId", i.expires_at as "expiresAt", i.answer, i.withdrawn_at as "withdrawnAt",
      i.reason, q.message, a.display_name as "askedBy", u.is_active and not u.is_service_account as "isActive", ${actorColumns}
    from inquiry_person i join inquiry q on q.id = i.inquiry_id join shift s on s.id = q.shift_id join user_profile u on u.id = i.user_id
      left join user_profile a on a.id = q.created_by_id
    where i.id = ${parsed.id} and i.asked_at is not null`)
  if (!row) return undefined
  const { id, inquiryId, shiftId, eventId, expiresAt, answer, withdrawnAt, message, askedBy, isActive, reason } = row
  const asked = { id, userId: row.user_id, shiftId, expiresAt }
  if (!secretsMatch(token, makeAnswerToken(keyring, asked))) return undefined
  const actor = actorFrom(row, { kind: 'token', tokenId: 0, scopes: new Set() })
  return { ...asked, inquiryId, eventId, answer, withdrawnAt, message, askedBy, isActive, reason, actor }
}
