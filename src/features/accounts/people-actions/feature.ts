import { people } from '#features/accounts/people/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteActionsOf } from './commands/select.ts'
import { peopleActionTasks } from './jobs.ts'
import { actionPages } from './pages/action.ts'
import { selectPage } from './pages/select.ts'
import { peopleActionsPersonalData } from './personal-data.ts'
import { peopleActionsWords } from './words.ts'

export const peopleActions = defineFeature({
  name: 'people-actions',
  uses: [users, people],
  tables: ['people_action', 'people_action_person'],
  reads: ['qualification', 'user_group', 'user_profile'],
  words: peopleActionsWords,
  personalData: peopleActionsPersonalData,
  pages: [selectPage, ...actionPages],
  tasks: peopleActionTasks,
  adds: [erasing('actions on many people', deleteActionsOf)],
})
