import type { BuildingBlock } from './schema.ts'

type BlockSummary = Pick<BuildingBlock, 'name' | 'positions' | 'requirements'> & {
  allow_more: boolean
  compositions: readonly { sub_block: string; label: string; optional: boolean }[]
}

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'building_block.created': {
      subject: 'building_block'
      changes: { name: string; block_type: string } | { name: string; copy_of: number }
    }
    'building_block.changed': { subject: 'building_block'; changes: { name: string; before: BlockSummary; shifts: number } }
    'building_block.deleted': { subject: 'building_block'; changes: { uuid: string; before: BlockSummary; shifts: number } }
  }
}
