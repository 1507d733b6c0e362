import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Catalogue, loadCatalogue, requireCatalogue } from '#features/accounts/qualifications/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { isOneOf } from '#platform/db/conditions.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Inclusions, ReasonContext } from '../rules/model.ts'

export type InclusionRow = { id: number; included: number[] }

/** What each qualification includes, as one value: a list of `InclusionRow`. */
export const inclusionRows = sql`(
  select coalesce(json_agg(json_build_object('id', q.id, 'included',
    array(select c.included_id from qualification_closure c where c.qualification_id = q.id))), '[]')
  from qualification q)`

export const readInclusions = (rows: readonly InclusionRow[]): Inclusions =>
  new Map(rows.map(({ id, included }) => [id, new Set([id, ...included])]))

export async function loadInclusions(db: Kysely<DB>): Promise<Inclusions> {
  const { rows } = await sql<{ inclusions: InclusionRow[] }>`select ${inclusionRows} as inclusions`.execute(db)
  return readInclusions(rows[0]!.inclusions)
}

/**
 * A table of `id` and `held`: the qualifications that the participants of these shifts hold at `time`, which may refer to `participation` as
 * `p`. Those without qualifications are missing. Read at once: one look-up per participant takes several times as long.
 */
export const heldInShifts = (shiftIds: readonly number[], time: RawBuilder<unknown>): RawBuilder<unknown> => {
  const inShifts = isOneOf(sql`p.shift_id`, shiftIds)
  return sql`(select id, array_agg(qualification_id) as held from (
    select p.id, g.qualification_id from participation p join qualification_grant g on g.user_id = p.user_id
    where ${inShifts} and p.kind = 'local' and (g.expires_at is null or g.expires_at >= ${time})
    union all
    select p.id, v.qualification_id from participation p join visitor_qualification v on v.visitor_id = p.visitor_id
    where ${inShifts} and p.kind = 'visitor'
    union all
    select p.id, q.qualification_id from participation p join guest_qualification q on q.guest_id = p.guest_id
    where ${inShifts} and p.kind = 'guest' and q.verified_at is not null
  ) each_held group by id)`
}

/** Titles of qualifications for pages; a deleted one is shown as its id. */
export const findQualificationTitles = async ({ db }: RequestContext): Promise<(id: number) => string> =>
  titlesIn(await loadCatalogue(db))

const titlesIn =
  (catalogue: Catalogue) =>
  (id: number): string =>
    catalogue.get(id)?.title ?? `#${id}`

/** `known`: what was read with the version of the catalogue. */
export const loadReasonContext = async (context: RequestContext, known?: { catalogueVersion: number }): Promise<ReasonContext> =>
  reasonContextOf(context, await (known ? requireCatalogue(context.db, known.catalogueVersion) : loadCatalogue(context.db)))

export const reasonContextOf = ({ words, now }: RequestContext, catalogue: Catalogue): ReasonContext => ({
  words,
  now,
  titleOf: titlesIn(catalogue),
})
