import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { qualificationHooks } from '#features/accounts/qualifications/points.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages } from '#platform/features/layout.ts'
import { clearBirthDates } from './commands/birth-dates.ts'
import { moveGrants } from './commands/qualification-grants.ts'
import { userPages } from './pages/account.ts'
import { usersPersonalData } from './personal-data.ts'
import { findUnneededBirthDates } from './queries/birth-dates.ts'
import { usersWords } from './words.ts'

const USAGE = 'the page to delete a record says where it is used'

export const users = defineFeature({
  name: 'users',
  uses: [notificationKinds, qualifications],
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
  impersonalTables: {
    permission: 'names of permissions',
    group_grant: 'grants to groups',
    group_permission: 'permissions of groups',
    user_group: 'names of groups',
  },
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
  pages: userPages,
  adds: [
    qualificationHooks.add({ moveGrants }),
    accountPages.add({ href: '/settings/profile/', label: 'settings.profile', icon: 'user' }, 30),
  ],
  retention: [
    { name: 'birth_dates', setting: 'retention_birth_dates_days', find: findUnneededBirthDates, remove: clearBirthDates },
  ],
})
