import { events } from '#features/events/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { requests } from '#features/requests/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { profilesPersonalData } from './personal-data.ts'
import { profilesWords } from './words.ts'

export const profiles = defineFeature({
  name: 'profiles',
  uses: [users, instance, events, requests],
  tables: ['profile_picture', 'email_change'],
  reads: ['event', 'participation', 'profile_group_grant', 'profile_user_grant', 'stored_file', 'user_profile'],
  words: profilesWords,
  personalData: profilesPersonalData,
})
