import type { Kysely } from 'kysely'
import { getSettings } from '#features/operations/settings/queries.ts'
import type { DB } from '#platform/db/tables.ts'
import { type PrivacySettings, privacySettings } from '../schema.ts'

export const getPrivacySettings = (db: Kysely<DB>): Promise<PrivacySettings> => getSettings(db, privacySettings)
