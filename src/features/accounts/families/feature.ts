import { ownProfile } from '#features/accounts/own-profile/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { browse } from '#features/events/browse/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { familiesWords } from './words.ts'

export const families = defineFeature({
  name: 'families',
  uses: [users, people, settings, events, participations, browse, ownProfile],
  words: familiesWords,
})
