import { type Kysely, sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { byId, findAfter, type Paged, type PagedRows } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Pagination } from '#platform/http/paging.ts'
import { findContainerIds } from './rules/head-count.ts'
import type { BuildingBlock, StoredBlock } from './schema.ts'

/** All blocks, or those with these ids. One statement, so that blocks and parts are consistent. */
export async function loadBlocks(db: Kysely<DB>, ids?: readonly number[]): Promise<Map<number, StoredBlock>> {
  const those = (column: 'block_id' | 'id') => (ids ? sql`where ${sql.ref(column)} = any (${ids}::bigint[])` : sql``)
  const { rows } = await sql<StoredBlock>`
    select b.id, b.uuid, b.name, b.block_type as "blockType", b.allow_more as "allowMore", b.version,
      coalesce(positions.list, '[]') as positions,
      coalesce(compositions.list, '[]') as compositions,
      coalesce(requirements.list, '[]') as requirements
    from (select * from building_block ${those('id')}) b
    left join (
      select block_id, json_agg(json_build_object(
        'id', p.id, 'label', p.label, 'optional', p.optional,
        'qualificationIds', array(select qualification_id from block_position_qualification where position_id = p.id order by 1)
      ) order by p.id) as list
      from block_position p ${those('block_id')} group by block_id
    ) positions on positions.block_id = b.id
    left join (
      select c.block_id, json_agg(json_build_object(
        'id', c.id, 'label', c.label, 'optional', c.optional, 'subBlockId', c.sub_block_id, 'subBlockUuid', s.uuid
      ) order by c.id) as list
      from block_composition c join building_block s on s.id = c.sub_block_id ${those('block_id')} group by c.block_id
    ) compositions on compositions.block_id = b.id
    left join (
      select block_id, json_agg(json_build_object(
        'id', r.id, 'everyone', r.everyone, 'atLeast', r.at_least,
        'qualificationIds', array(select qualification_id from block_requirement_qualification where requirement_id = r.id order by 1)
      ) order by r.id) as list
      from block_requirement r ${those('block_id')} group by block_id
    ) requirements on requirements.block_id = b.id
    order by b.id`.execute(db)
  return new Map(rows.map((block) => [block.id, block]))
}

export async function findBlocks(context: RequestContext, page: Pagination): Promise<PagedRows<BuildingBlock>> {
  return page.keyset ? findBlocksAfter(context, page) : findBlocksAt(context, page)
}

async function findBlocksAfter({ db }: RequestContext, page: Pagination): Promise<PagedRows<BuildingBlock>> {
  const listing = { columns: { id: sql`b.id` }, from: sql`from building_block b`, where: sql`true`, order: byId(sql`b.id`) }
  const { rows, ...rest } = await findAfter({ db }, listing, page, (chosen) => sql<Paged<{ id: number }>>`${chosen}`)
  const ids = rows.map(({ id }) => id)
  return { ...rest, rows: ids.length ? [...(await loadBlocks(db, ids)).values()] : [] }
}

async function findBlocksAt({ db }: RequestContext, { limit, offset }: Pagination): Promise<PagedRows<BuildingBlock>> {
  const { rows } = await sql<{ count: number; ids: number[] }>`
    select (select count(*)::int from building_block) as count,
      array(select id from building_block order by id limit ${limit} offset ${offset}) as ids`.execute(db)
  const { count, ids } = rows[0]!
  return { count, rows: ids.length ? [...(await loadBlocks(db, ids)).values()] : [] }
}

export async function getBlock({ db }: RequestContext, id: number): Promise<BuildingBlock | undefined> {
  return (await loadBlocks(db, [id])).get(id)
}

export async function findQualificationIds(db: Kysely<DB>): Promise<Set<number>> {
  return new Set((await db.selectFrom('qualification').select('id').execute()).map(({ id }) => id))
}

type QualificationChoice = { id: number; title: string; short: string }

/** Ordered by category. */
export async function findQualificationChoices(db: Kysely<DB>): Promise<QualificationChoice[]> {
  return rowsOf(db).all(sql<QualificationChoice>`
    select q.id, q.title, coalesce(nullif(q.abbreviation, ''), q.title) as short
    from qualification q join qualification_category c on c.id = q.category_id
    order by c.rank, lower(c.title), c.id, lower(q.title), q.id`)
}

/** Number of current and upcoming shifts by their top-level block. */
export async function countShifts(db: Kysely<DB>, now: Date): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; count: number }>`
    select (start->>'building_block')::bigint as id, count(distinct s.id)::int as count
    from shift s, jsonb_path_query(s.structure_configuration, '$.starting_blocks[*]') as start
    where s.structure_slug = 'complex' and s.end_time > ${now} and start->>'building_block' ~ '^\\d{1,15}$'
    group by 1`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** The block and all blocks that contain it, directly or indirectly. */
export async function findContainers(db: Kysely<DB>, id: number): Promise<{ ids: number[]; outer: BuildingBlock[] }> {
  const blocks = await loadBlocks(db)
  const ids = findContainerIds(id, blocks)
  const outer = ids.flatMap((each) => (each === id ? [] : (blocks.get(each) ?? [])))
  return { ids, outer: outer.filter(({ compositions }) => compositions.some(({ subBlockId }) => subBlockId === id)) }
}
