import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { emptyTemplateBin } from './commands/templates.ts'

export const cleanTemplates = (db: Kysely<DB>, now: Date): Promise<void> => emptyTemplateBin(db, now)
