import { type Kysely, sql } from 'kysely'
import { perDatabase } from '#platform/db/fragments.ts'
import type { DB } from '#platform/db/tables.ts'
import type { QualificationRecord } from './schema.ts'

/** All qualifications as the API shows them, by id. */
export type Catalogue = ReadonlyMap<number, QualificationRecord>

/** To be read beside the rows of a request: the catalogue of exactly this version belongs to them. */
export const catalogueVersion = sql<number>`(select version from catalogue_version where name = 'qualifications')`

type Kept = { version: number; catalogue: Catalogue }
const kept = perDatabase((): { last: Kept | undefined } => ({ last: undefined }))

/** They are few and change rarely: kept in memory until the version says otherwise. */
export async function requireCatalogue(db: Kysely<DB>, version: number): Promise<Catalogue> {
  const memory = kept(db)
  if (memory.last?.version === version) return memory.last.catalogue
  const { rows } = await sql<QualificationRecord & { id: number; version: number }>`
    select q.id, q.uuid, q.title, q.abbreviation, c.uuid as category, ${catalogueVersion} as version,
      array(
        select i.uuid::text from qualification_closure k join qualification i on i.id = k.included_id
        where k.qualification_id = q.id order by i.id
      ) as includes
    from qualification q join qualification_category c on c.id = q.category_id order by q.id`.execute(db)
  const catalogue = new Map(
    rows.map(({ id, uuid, title, abbreviation, category, includes }) => [id, { uuid, title, abbreviation, category, includes }]),
  )
  memory.last = { version: rows[0]?.version ?? version, catalogue }
  return catalogue
}

export const pickQualifications = (catalogue: Catalogue, ids: readonly number[]): QualificationRecord[] =>
  ids.flatMap((id) => catalogue.get(id) ?? [])
