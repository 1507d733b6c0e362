import { people } from '#features/accounts/people/feature.ts'
import { groupPage, personPage } from '#features/accounts/people/points.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { layout } from '#platform/features/layout.ts'
import { deleteEndedViewings, deleteViewingsOf } from './commands.ts'
import { viewingPart } from './layout.ts'
import { groupViewSection, viewAction, viewingPages } from './pages.ts'
import { viewingPersonalData } from './personal-data.ts'
import { viewingWords } from './words.ts'

export const viewing = defineFeature({
  name: 'viewing',
  uses: [users, people],
  tables: ['viewing'],
  reads: ['user_group_member', 'user_profile'],
  words: viewingWords,
  personalData: viewingPersonalData,
  pages: viewingPages,
  tasks: ({ db, clock }) => [
    { name: 'clean_up_viewing', schedule: '19 3 * * *', run: () => deleteEndedViewings(db.write, clock.now()) },
  ],
  adds: [
    erasing('views of pages', deleteViewingsOf),
    personPage.action.add(viewAction),
    groupPage.section.add(groupViewSection),
    layout.ownPart.add(viewingPart, 5),
  ],
})
