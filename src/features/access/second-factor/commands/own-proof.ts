import { type Kysely, sql } from 'kysely'
import { hasRecentOwnProof } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { requireOwner } from '../access.ts'
import { hasFactorOf } from '../queries.ts'

/**
 * Factors of an account that has a password or a factor are changed only by somebody who has just shown one of them. A session that an
 * identity provider has opened is not enough: otherwise the provider could remove what protects the account from it. A parameter of
 * commands, so that a test can show what it prevents.
 */
export async function lacksOwnProof(db: Kysely<DB>, { actor, now }: Pick<CommandContext, 'actor' | 'now'>): Promise<boolean> {
  const userId = requireOwner({ actor })
  if (hasRecentOwnProof(actor, now)) return false
  const { rows } = await sql<{ isProtected: boolean }>`
    select u.password_hash is not null or ${hasFactorOf} as "isProtected" from user_profile u where u.id = ${userId}`.execute(db)
  return rows[0]?.isProtected !== false
}
