import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { eventsPersonalData } from './personal-data.ts'
import { eventsWords } from './words.ts'

export const events = defineFeature({
  name: 'events',
  uses: [staffing],
  tables: [
    'event_type',
    'event_type_default_group',
    'event_type_default_user',
    'event_type_required_qualification',
    'event',
    'event_group_grant',
    'event_user_grant',
    'shift',
  ],
  reads: ['audience', 'group_grant', 'qualification', 'qualification_category', 'user_group', 'user_profile'],
  readsAbove: { participation: 'people see the events in which they take part' },
  words: eventsWords,
  personalData: eventsPersonalData,
})
