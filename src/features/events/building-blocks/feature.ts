import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { buildingBlocksApi } from './api/reads.ts'
import { buildingBlockWrites } from './api/writes.ts'
import { editorPages } from './pages/editor.ts'
import { blockPages } from './pages/list.ts'
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
  impersonalTables: {
    block_composition: 'building blocks',
    block_position: 'building blocks',
    block_position_qualification: 'building blocks',
    block_requirement: 'building blocks',
    block_requirement_qualification: 'building blocks',
    building_block: 'building blocks',
  },
  reads: ['qualification', 'qualification_category'],
  readsAbove: { shift: 'the page to delete a record says where it is used' },
  words: buildingBlocksWords,
  pages: [...blockPages, ...editorPages],
  apiTags: {
    buildingblocks: 'Units that shifts are built from.',
  },
  endpoints: [...buildingBlocksApi, ...buildingBlockWrites],
  adds: [
    managementAreas.add(
      {
        href: '/manage/blocks/',
        group: 'events',
        icon: 'blocks',
        label: 'manage.blocks',
        text: 'manage.blocks_text',
        isFor: (actor) => hasPermission(actor, 'change_building_block'),
      },
      80,
    ),
  ],
})
