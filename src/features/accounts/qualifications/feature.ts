import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { categoryWrites } from './api/categories.ts'
import { qualificationWrites } from './api/qualifications.ts'
import { qualificationsApi } from './api/reads.ts'
import { catalogueExchangePages } from './pages/catalogue-exchange.ts'
import { categoryPages } from './pages/categories.ts'
import { qualificationPages } from './pages/qualifications.ts'
import { qualificationsWords } from './words.ts'

const USAGE = 'the page to delete a record says where it is used'

export const qualifications = defineFeature({
  name: 'qualifications',
  uses: [],
  tables: ['qualification_category', 'qualification', 'qualification_inclusion'],
  impersonalTables: {
    catalogue_version: 'a counter',
    qualification_closure: 'the catalogue',
    qualification: 'the catalogue',
    qualification_category: 'the catalogue',
    qualification_inclusion: 'the catalogue',
  },
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
  pages: [...qualificationPages, ...categoryPages, ...catalogueExchangePages],
  apiTags: {
    qualifications: 'The catalogue of qualifications, and who holds which.',
  },
  endpoints: [...qualificationsApi, ...qualificationWrites, ...categoryWrites],
  adds: [
    managementAreas.add(
      {
        href: '/manage/qualifications/',
        group: 'people',
        icon: 'award',
        label: 'manage.qualifications',
        text: 'manage.qualifications_text',
        isFor: (actor) => hasPermission(actor, 'view_qualification'),
      },
      50,
    ),
  ],
})
