import { sql } from 'kysely'
import { catalogueVersion, requireCatalogue } from '#features/qualifications/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'

export type QualificationNames = {
  titleOf: (id: number) => string
  /** For badges. */
  shortOf: (id: number) => string
  all: { id: number; title: string }[]
}

export async function findQualificationNames({ db, words }: RequestContext): Promise<QualificationNames> {
  const { rows } = await sql<{ version: number }>`select ${catalogueVersion} as version`.execute(db)
  const catalogue = await requireCatalogue(db, rows[0]!.version)
  const all = [...catalogue].map(([id, { title }]) => ({ id, title }))
  return {
    titleOf: (id) => catalogue.get(id)?.title ?? `#${id}`,
    shortOf: (id) => catalogue.get(id)?.abbreviation || catalogue.get(id)?.title || `#${id}`,
    all: all.sort((a, b) => a.title.localeCompare(b.title, words.language)),
  }
}
