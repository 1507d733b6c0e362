import { type Kysely, sql } from 'kysely'
import type { Ask } from '#platform/auth/ask.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Page } from '#platform/http/paging.ts'
import type { BuildingBlock } from './schema.ts'

/** All blocks, or those with these ids, by id. One statement: a block and its parts are of the same moment. */
export async function loadBlocks(db: Kysely<DB>, ids?: readonly number[]): Promise<Map<number, BuildingBlock>> {
  const those = (column: 'block_id' | 'id') => (ids ? sql`where ${sql.ref(column)} = any (${ids}::bigint[])` : sql``)
  const { rows } = await sql<BuildingBlock>`
    select b.id, b.uuid, b.name, b.block_type as "blockType", b.allow_more as "allowMore",
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

export async function findBlocks({ db }: Ask, { limit, offset }: Page): Promise<{ count: number; rows: BuildingBlock[] }> {
  const { rows } = await sql<{ count: number; ids: number[] }>`
    select (select count(*)::int from building_block) as count,
      array(select id from building_block order by id limit ${limit} offset ${offset}) as ids`.execute(db)
  const { count, ids } = rows[0]!
  return { count, rows: ids.length ? [...(await loadBlocks(db, ids)).values()] : [] }
}

export async function getBlock({ db }: Ask, id: number): Promise<BuildingBlock | undefined> {
  return (await loadBlocks(db, [id])).get(id)
}
