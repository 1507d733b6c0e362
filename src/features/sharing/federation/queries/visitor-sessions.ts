import { sql } from 'kysely'
import { makeActor, type VisitorActor } from '#platform/auth/actor.ts'
import type { VisitorAuthenticator } from '#platform/auth/authenticator.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Language } from '#platform/i18n/languages.ts'

/** Foreign keys delete sessions with the visitor, and visitors with the link. */
export function authenticateVisitor(db: Database): VisitorAuthenticator {
  return async (sessionId, now, language) => {
    const row = await rowsOf(db.read).first(sql<{
      id: number
      federated_guest_id: number
      display_name: string
      language: Language | null
    }>`
      select v.id, v.federated_guest_id, v.display_name, v.language from visitor_session s join visitor v on v.id = s.visitor_id
      where s.id_hash = ${hashSecret(sessionId)} and s.expires_at > ${now}`)
    return (
      row &&
      makeActor<VisitorActor>({
        kind: 'visitor',
        visitorId: row.id,
        federatedGuestId: row.federated_guest_id,
        displayName: row.display_name,
        language: row.language ?? language,
      })
    )
  }
}
