import { events } from '#features/events/feature.ts'
import { finding } from '#features/finding/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { people } from '#features/people/feature.ts'
import { profiles } from '#features/profiles/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { familiesWords } from './words.ts'

export const families = defineFeature({
  name: 'families',
  uses: [users, people, instance, events, participations, finding, profiles],
  words: familiesWords,
})
