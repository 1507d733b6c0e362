import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { ALL_KINDS, type Choices, type Kind, wantsMail } from '../rules/kinds.ts'

export type ChoicesRow = Choices & { email: string; email_invalid: boolean }

export async function getChoices(db: Kysely<DB>, userId: number, lock?: 'for update'): Promise<ChoicesRow | undefined> {
  const { rows } = await sql<ChoicesRow>`
    select disabled_notifications as disabled, enabled_notifications as enabled, email, email_invalid
    from user_profile where id = ${userId} ${lock ? sql`for no key update` : sql``}`.execute(db)
  return rows[0]
}

export const wantedKinds = (choices: Choices): Kind[] => ALL_KINDS.filter((kind) => wantsMail(kind, choices))
