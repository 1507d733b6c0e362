import { sql } from 'kysely'
import { catalogueVersion, requireCatalogue } from '#features/qualifications/queries.ts'
import type { ReasonContext } from '#features/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'

/** For pages that name qualifications; one that is gone has no name. */
export async function findQualificationTitles({ db }: RequestContext): Promise<(id: number) => string> {
  const { rows } = await sql<{ version: number }>`select ${catalogueVersion} as version`.execute(db)
  const catalogue = await requireCatalogue(db, rows[0]!.version)
  return (id) => catalogue.get(id)?.title ?? `#${id}`
}

export async function loadReasonContext(context: RequestContext): Promise<ReasonContext> {
  return { words: context.words, now: context.now, titleOf: await findQualificationTitles(context) }
}
