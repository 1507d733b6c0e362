import { requests } from '#features/accounts/requests/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { profilesPersonalData } from './personal-data.ts'
import { profilesWords } from './words.ts'

export const ownProfile = defineFeature({
  name: 'own-profile',
  uses: [users, settings, events, requests],
  tables: ['profile_picture', 'email_change'],
  reads: ['event', 'participation', 'profile_group_grant', 'profile_user_grant', 'stored_file', 'user_profile'],
  words: profilesWords,
  personalData: profilesPersonalData,
})
