import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { buildingBlocksWords } from './words.ts'

export const buildingBlocks = defineFeature({
  name: 'building-blocks',
  uses: [qualifications],
  tables: [
    'building_block',
    'block_position',
    'block_position_qualification',
    'block_composition',
    'block_requirement',
    'block_requirement_qualification',
  ],
  reads: ['qualification', 'qualification_category'],
  readsAbove: { shift: 'the page to delete a record says where it is used' },
  words: buildingBlocksWords,
})
