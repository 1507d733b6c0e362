import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { TemplateContent } from './rules/content.ts'

/** What another feature keeps in a template, from one event and for another. `shifts`: ids of the new shifts by those that were saved. */
type PartHook<Part extends 'resources' | 'files' = 'resources' | 'files'> = {
  part: Part
  save: (db: Kysely<DB>, eventId: number) => Promise<TemplateContent[Part]>
  restore: (tx: Tx, eventId: number, shifts: ReadonlyMap<number, number>, saved: TemplateContent[Part]) => Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: each hook knows the type of its own part
export const templateParts = extensionPoint<PartHook<any>>('templates.part', { isAlwaysOn: true })
