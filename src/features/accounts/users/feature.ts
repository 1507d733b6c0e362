import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { usersPersonalData } from './personal-data.ts'
import { usersWords } from './words.ts'

const USAGE = 'the page to delete a record says where it is used'

export const users = defineFeature({
  name: 'users',
  uses: [qualifications],
  tables: [
    'user_profile',
    'qualification_grant',
    'guardianship',
    'user_group',
    'user_group_member',
    'group_permission',
    'user_permission',
    'group_grant',
    'profile_group_grant',
    'profile_user_grant',
    'email_failure',
  ],
  reads: ['qualification', 'qualification_category', 'qualification_closure'],
  readsAbove: {
    event: USAGE,
    event_user_grant: USAGE,
    event_group_grant: 'what a group gives decides who may get it without a decision',
    event_type_default_group: 'what a group gives decides who may get it without a decision',
    participation: USAGE,
    setting: 'whether guardianships end with the 18th birthday',
    session: 'the list of people shows when somebody was last seen',
  },
  words: usersWords,
  personalData: usersPersonalData,
})
