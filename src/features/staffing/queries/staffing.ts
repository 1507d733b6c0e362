import { type Kysely, type RawBuilder, sql } from 'kysely'
import { loadBlocks } from '#features/building-blocks/queries.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Span } from '#platform/time-span.ts'
import type { Inclusions, State } from '../rules/model.ts'
import { expandSkills } from '../rules/skills.ts'
import type { StructureInput, StructurePerson } from '../structures/structure.ts'
import { loadInclusions } from './qualifications.ts'

export type StaffedShift = { id: number; structureSlug: string; structureConfiguration: unknown } & StructureInput & {
    span: Span
    /** Effective time of each person, by participation. */
    presence: ReadonlyMap<number, Span>
  }

type PersonRow = { participation_id: number; shift_id: number; state: State; structure_data: unknown; held: number[] } & Span

/** Everything that the statistics of these shifts depend on; the number of queries does not depend on the number of shifts. */
export async function loadStaffing(db: Kysely<DB>, shiftIds: readonly number[]): Promise<StaffedShift[]> {
  const shifts = await db
    .selectFrom('shift')
    .select(['id', 'start_time', 'end_time', 'structure_slug', 'structure_configuration'])
    .where('id', 'in', shiftIds)
    .orderBy('id')
    .execute()
  const qualifications = await loadInclusions(db)
  const blocks = shifts.some(({ structure_slug }) => structure_slug === 'complex') ? await loadBlocks(db) : new Map()
  const people = Map.groupBy(await loadPeople(db, shiftIds), ({ shift_id }) => shift_id)
  return shifts.map(({ id, start_time, end_time, structure_slug, structure_configuration }) => ({
    id,
    span: { start: start_time, end: end_time },
    presence: new Map((people.get(id) ?? []).map(({ participation_id, start, end }) => [participation_id, { start, end }])),
    structureSlug: structure_slug,
    structureConfiguration: structure_configuration,
    people: (people.get(id) ?? []).map((row) => personOf(row, qualifications)),
    blocks,
    qualifications,
  }))
}

function personOf({ participation_id, state, structure_data, held }: PersonRow, inclusions: Inclusions): StructurePerson {
  return { participationId: participation_id, state, structureData: structure_data, skills: expandSkills(held, inclusions) }
}

/** Counts qualifications that are valid at the end of the person's time, so that statistics do not change while time passes. */
async function loadPeople(db: Kysely<DB>, shiftIds: readonly number[]): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select p.id as participation_id, p.shift_id, p.state, p.structure_data, p.start_time as start, p.end_time as end, array(
      select g.qualification_id from qualification_grant g
        where g.user_id = p.user_id and (g.expires_at is null or g.expires_at >= p.end_time)
      union all select v.qualification_id from visitor_qualification v where v.visitor_id = p.visitor_id
      union all select q.qualification_id from guest_qualification q where q.guest_id = p.guest_id and q.verified_at is not null
    ) as held
    from participation p where p.shift_id = any (${shiftIds}::bigint[]) and p.state in (0, 1) order by p.id`.execute(db)
  return rows
}

export async function findStaleShifts(db: Kysely<DB>, limit: number): Promise<{ id: number; eventId: number }[]> {
  const rows = await db
    .selectFrom('shift')
    .select(['id', 'event_id'])
    .where('stats_stale', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, event_id }) => ({ id, eventId: event_id }))
}

/** A condition on `shift` as `s`: it has not ended and uses one of these blocks. */
export function usesBlocks(blockIds: readonly number[], now: Date): RawBuilder<unknown> {
  const starts = blockIds.map((id) => JSON.stringify({ starting_blocks: [{ building_block: id }] }))
  return sql`s.structure_slug = 'complex' and s.end_time > ${now} and s.structure_configuration @> any (${starts}::jsonb[])`
}

export async function findShiftIdsOfBlocks(db: Kysely<DB>, blockIds: readonly number[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select s.id from shift s where ${usesBlocks(blockIds, now)} order by s.id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
