import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Catalogue, loadCatalogue } from '#features/qualifications/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
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

/** Qualifications that the participant of `participation` as `p` holds at `time`. */
export const heldByParticipant = (time: RawBuilder<unknown>): RawBuilder<number[]> => sql`case p.kind
  when 'local' then array(
    select g.qualification_id from qualification_grant g where g.user_id = p.user_id and (g.expires_at is null or g.expires_at >= ${time}))
  when 'visitor' then array(select v.qualification_id from visitor_qualification v where v.visitor_id = p.visitor_id)
  when 'guest' then array(
    select q.qualification_id from guest_qualification q where q.guest_id = p.guest_id and q.verified_at is not null)
  else '{}' end`

/** Titles of qualifications for pages; a deleted one is shown as its id. */
export const findQualificationTitles = async ({ db }: RequestContext): Promise<(id: number) => string> =>
  titlesIn(await loadCatalogue(db))

const titlesIn =
  (catalogue: Catalogue) =>
  (id: number): string =>
    catalogue.get(id)?.title ?? `#${id}`

export const loadReasonContext = async (context: RequestContext): Promise<ReasonContext> =>
  reasonContextOf(context, await loadCatalogue(context.db))

export const reasonContextOf = ({ words, now }: RequestContext, catalogue: Catalogue): ReasonContext => ({
  words,
  now,
  titleOf: titlesIn(catalogue),
})
