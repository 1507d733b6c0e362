import { sql } from 'kysely'
import { catalogueVersion, requireCatalogue } from '#features/qualifications/queries.ts'
import type { ReasonContext } from '#features/staffing/rules/reasons.ts'
import type { Ask } from '#platform/auth/ask.ts'

/** For pages that name qualifications; one that is gone has no name. */
export async function findQualificationTitles({ db }: Ask): Promise<(id: number) => string> {
  const { rows } = await sql<{ version: number }>`select ${catalogueVersion} as version`.execute(db)
  const catalogue = await requireCatalogue(db, rows[0]!.version)
  return (id) => catalogue.get(id)?.title ?? `#${id}`
}

export async function loadReasonContext(ask: Ask): Promise<ReasonContext> {
  return { words: ask.words, now: ask.now, titleOf: await findQualificationTitles(ask) }
}
