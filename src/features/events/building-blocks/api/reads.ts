import { scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint } from '#platform/http/endpoint.ts'
import { findBlocks, getBlock } from '../queries.ts'
import { type BuildingBlock, buildingBlockRecord } from '../schema.ts'

/** The order of the keys is part of the contract. */
export const presentBlock = (block: BuildingBlock) => ({
  id: block.id,
  uuid: block.uuid,
  name: block.name,
  block_type: block.blockType,
  sub_compositions: block.compositions.map(({ id, label, optional, subBlockUuid }) => ({
    id,
    label,
    optional,
    sub_block: subBlockUuid,
  })),
  allow_more: block.allowMore,
  qualification_requirements: block.requirements.map(({ id, qualificationIds, everyone, atLeast }) => ({
    id,
    qualifications: qualificationIds,
    everyone,
    at_least: atLeast,
  })),
  positions: block.positions.map(({ id, label, optional, qualificationIds }) => ({
    id,
    label,
    optional,
    qualifications: qualificationIds,
  })),
})

export const buildingBlocksApi: Endpoint[] = collectionEndpoints({
  path: '/api/buildingblocks/',
  access: scope('PUBLIC_READ'),
  name: 'Building Block',
  tag: 'buildingblocks',
  summary: 'All building blocks',
  recordSummary: 'One building block',
  parameters: {},
  record: buildingBlockRecord,
  find: (context, _query, page) => findBlocks(context, page),
  get: (context, { id }) => getBlock(context, id),
  present: presentBlock,
})
