import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

/** What the people here call themselves; undefined until somebody has said it. */
export async function getOrganizationName(db: Kysely<DB>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select value #>> '{}' as name from setting where name = 'organization_name' and jsonb_typeof(value) = 'string'`.execute(db)
  return rows[0]?.name.trim() || undefined
}
