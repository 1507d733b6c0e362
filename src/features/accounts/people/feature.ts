import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { peopleWords } from './words.ts'

const USAGE = 'the page to delete a record says where it is used'

export const people = defineFeature({
  name: 'people',
  uses: [qualifications, users],
  writes: ['qualification_grant', 'user_group', 'user_group_member', 'group_permission', 'group_grant'],
  reads: ['qualification', 'user_profile'],
  readsAbove: {
    event_group_grant: USAGE,
    event: USAGE,
    event_type_default_group: USAGE,
  },
  words: peopleWords,
})
