import { type Kysely, type RawBuilder, sql } from 'kysely'
import { loadBlocks } from '#features/events/building-blocks/queries.ts'
import { isOneOf } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Span } from '#platform/time-span.ts'
import { findLapse } from '../rules/lapses.ts'
import { STATE, type State } from '../rules/model.ts'
import { expandSkills } from '../rules/skills.ts'
import { computeStatistics, isQualifiedForPlace } from '../structures/registry.ts'
import type { StructureInput, StructurePerson } from '../structures/structure.ts'
import { heldInShifts, loadInclusions } from './qualifications.ts'

export type StaffedShift = { id: number; structureSlug: string; structureConfiguration: unknown } & StructureInput & {
    span: Span
    /** Effective time of each person, by participation. */
    presence: ReadonlyMap<number, Span>
    /** Participations of confirmed people who are qualified, which is not stored yet. */
    newlyQualified: readonly number[]
    /** Participations whose lapse is stored otherwise. */
    changedLapses: readonly { participationId: number; lapse: string | null }[]
    /** People of the waiting list to whom a place is offered: it is not free for others. */
    held: readonly StructurePerson[]
  }

type PersonRow = Span & {
  participation_id: number
  shift_id: number
  state: State
  structure_data: unknown
  held: number[]
  finished: boolean
  was_qualified: boolean
  has_left_group: boolean
  stored_lapse: string | null
  is_held: boolean
}
type ShiftRow = {
  id: number
  start: Date
  end: Date
  structureSlug: string
  structureConfiguration: unknown
  requiredByType: number[]
}

/** What several loaders need; a caller that has it already passes it on. Blocks only if one of the shifts is planned with them. */
export type LoadedSkills = Pick<StructureInput, 'qualifications' | 'blocks'> & {
  shifts?: ReadonlyMap<number, ShiftRow> | undefined
}

async function loadShifts(db: Kysely<DB>, shiftIds: readonly number[]): Promise<ShiftRow[]> {
  return rowsOf(db).all(sql<ShiftRow>`
    select s.id, s.start_time as start, s.end_time as end, s.structure_slug as "structureSlug",
      s.structure_configuration as "structureConfiguration", array(
        select r.qualification_id from event e join event_type_required_qualification r on r.event_type_id = e.type_id
        where e.id = s.event_id order by 1
      ) as "requiredByType"
    from shift s where ${isOneOf(sql`s.id`, shiftIds)} order by s.id`)
}

/** Everything that the statistics of these shifts depend on; the number of queries does not depend on the number of shifts. */
export async function loadStaffing(db: Kysely<DB>, shiftIds: readonly number[], loaded?: LoadedSkills): Promise<StaffedShift[]> {
  if (!shiftIds.length) return []
  const known = loaded?.shifts
  const shifts = known ? shiftIds.flatMap((id) => known.get(id) ?? []) : await loadShifts(db, shiftIds)
  const qualifications = loaded?.qualifications ?? (await loadInclusions(db))
  const isComplex = shifts.some(({ structureSlug }) => structureSlug === 'complex')
  const blocks = loaded?.blocks ?? (isComplex ? await loadBlocks(db) : new Map())
  const people = Map.groupBy(await loadPeople(db, shiftIds), ({ shift_id }) => shift_id)
  return shifts.map(({ id, structureSlug, structureConfiguration, start, end, requiredByType }) => {
    const shift = { id, structureSlug, structureConfiguration }
    const found = people.get(shift.id) ?? []
    const rows = found.filter(({ is_held }) => !is_held)
    const input = { people: [], blocks, qualifications, requiredByType: new Set(requiredByType) }
    const judged = rows.map((row) => judgePerson(row, shift, input))
    return {
      ...shift,
      ...input,
      span: { start, end },
      presence: new Map(rows.map(({ participation_id, start, end }) => [participation_id, { start, end }])),
      people: judged.map(({ person }) => person),
      held: found.filter(({ is_held }) => is_held).map((row) => judgePerson(row, shift, input).person),
      newlyQualified: judged.filter(({ isNewlyQualified }) => isNewlyQualified).map(({ person }) => person.participationId),
      changedLapses: judged.flatMap(({ person: { participationId, lapse = null } }, at) =>
        lapse === rows[at]!.stored_lapse ? [] : [{ participationId, lapse }],
      ),
    }
  })
}

type Planned = Pick<ShiftRow, 'structureSlug' | 'structureConfiguration'>

function judgePerson(
  row: PersonRow,
  shift: Planned,
  input: StructureInput,
): { person: StructurePerson; isNewlyQualified: boolean } {
  const { participation_id, state, structure_data, held, finished, was_qualified, has_left_group } = row
  const person = {
    participationId: participation_id,
    state,
    structureData: structure_data,
    skills: expandSkills(held, input.qualifications),
  }
  // What happens after the end of a shift does not change who was there.
  if (state !== STATE.confirmed || finished) return { person, isNewlyQualified: false }
  const isQualified = isQualifiedForPlace(shift, input, person)
  const lapse = findLapse({ wasQualified: was_qualified, hasLeftGroup: has_left_group }, isQualified)
  return { person: { ...person, lapse }, isNewlyQualified: isQualified === true && !was_qualified }
}

/** With the places that are offered to people of the waiting list, under negative ids. Counts qualifications that are valid at the end of the person's time, so that statistics do not change while time passes. */
async function loadPeople(db: Kysely<DB>, shiftIds: readonly number[]): Promise<PersonRow[]> {
  return rowsOf(db).all(sql<PersonRow>`
    select p.id as participation_id, p.shift_id, p.state, p.structure_data, p.start_time as start, p.end_time as end, p.finished,
      coalesce(b.was_qualified, false) as was_qualified, coalesce(b.has_left_group, false) as has_left_group,
      coalesce(h.held, '{}') as held, b.lapse as stored_lapse, false as is_held
    from participation p left join place_basis b on b.participation_id = p.id
      left join ${heldInShifts(shiftIds, sql`p.end_time`)} h on h.id = p.id
    where ${isOneOf(sql`p.shift_id`, shiftIds)} and p.state in (0, 1)
    union all
    select -1 - w.id, w.shift_id, 1, w.structure_data, s.start_time, s.end_time, false, false, false, array(
      select g.qualification_id from qualification_grant g
      where g.user_id = w.user_id and (g.expires_at is null or g.expires_at >= s.end_time)), null, true
    from waiting_entry w join shift s on s.id = w.shift_id
    where ${isOneOf(sql`w.shift_id`, shiftIds)} and w.state = 'offered' order by 1`)
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

const BATCH_SIZE = 200

/** Shifts whose stored statistics differ from what their structure and people give. Ended shifts keep theirs; stale ones are due anyway. */
export async function findWrongStatistics(db: Kysely<DB>, now: Date): Promise<{ id: number; eventId: number }[]> {
  const wrong: { id: number; eventId: number }[] = []
  for (let lastId = 0; ; ) {
    const stored = await db
      .selectFrom('shift')
      .select(['id', 'event_id', 'missing', 'free', 'min_count', 'max_count', 'shortfall'])
      .where('id', '>', lastId)
      .where('end_time', '>', now)
      .where('stats_stale', '=', false)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute()
    if (stored.length === 0) return wrong
    lastId = stored.at(-1)!.id
    const ids = stored.map(({ id }) => id)
    const right = new Map((await loadStaffing(db, ids)).map((shift) => [shift.id, computeStatistics(shift)]))
    for (const { id, event_id, missing, free, min_count, max_count, shortfall } of stored) {
      const stats = right.get(id)
      if (!stats) continue
      const isRight =
        missing === stats.missing &&
        free === stats.free &&
        min_count === stats.minCount &&
        max_count === stats.maxCount &&
        shortfall === (stats.shortfall ?? 0)
      if (!isRight) wrong.push({ id, eventId: event_id })
    }
  }
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
