import { type Kysely, sql } from 'kysely'
import { catalogueVersion, requireCatalogue } from '#features/qualifications/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Inclusions, ReasonContext } from '../rules/model.ts'

export async function loadInclusions(db: Kysely<DB>): Promise<Inclusions> {
  const { rows } = await sql<{ id: number; included: number[] }>`
    select q.id, array(select c.included_id from qualification_closure c where c.qualification_id = q.id) as included
    from qualification q`.execute(db)
  return new Map(rows.map(({ id, included }) => [id, new Set([id, ...included])]))
}

/** Titles of qualifications for pages; a deleted one is shown as its id. */
export async function findQualificationTitles({ db }: RequestContext): Promise<(id: number) => string> {
  const { rows } = await sql<{ version: number }>`select ${catalogueVersion} as version`.execute(db)
  const catalogue = await requireCatalogue(db, rows[0]!.version)
  return (id) => catalogue.get(id)?.title ?? `#${id}`
}

export async function loadReasonContext(context: RequestContext): Promise<ReasonContext> {
  return { words: context.words, now: context.now, titleOf: await findQualificationTitles(context) }
}
