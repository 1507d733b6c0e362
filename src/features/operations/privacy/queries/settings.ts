import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { DEFAULT_SETTINGS, type PrivacySettings } from '../schema.ts'

/** Missing settings and values of the wrong type fall back to the defaults. */
export async function getPrivacySettings(db: Kysely<DB>): Promise<PrivacySettings> {
  const names = Object.keys(DEFAULT_SETTINGS)
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('name', 'in', names).execute()
  const values = new Map<string, unknown>(rows.map(({ name, value }) => [name, value]))
  const settings = Object.entries(DEFAULT_SETTINGS).map(([name, otherwise]) => {
    const value = values.get(name)
    return [name, typeof value === typeof otherwise ? value : otherwise]
  })
  return Object.fromEntries(settings) as PrivacySettings
}
