import { defineFeature } from '#platform/feature.ts'
import { qualificationsWords } from './words.ts'

const USAGE = 'the page to delete a record says where it is used'

export const qualifications = defineFeature({
  name: 'qualifications',
  uses: [],
  tables: ['qualification_category', 'qualification', 'qualification_inclusion'],
  reads: ['catalogue_version', 'qualification_closure'],
  readsAbove: {
    qualification_grant: USAGE,
    shift: USAGE,
    event: USAGE,
    event_type_required_qualification: USAGE,
    event_type: USAGE,
    building_block: USAGE,
    block_position: USAGE,
    block_position_qualification: USAGE,
    block_requirement: USAGE,
    block_requirement_qualification: USAGE,
  },
  words: qualificationsWords,
})
