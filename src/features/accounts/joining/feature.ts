import { signIn } from '#features/access/sign-in/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { requests } from '#features/accounts/requests/feature.ts'
import { requestKinds } from '#features/accounts/requests/points.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { joiningRequest } from './commands/joining.ts'
import { deleteRegistrationsOfPerson } from './commands/registrations.ts'
import { joiningTasks } from './jobs.ts'
import { invitationPages } from './pages/invitations.ts'
import { joinPages } from './pages/join.ts'
import { joinLinkPages } from './pages/links.ts'
import { joiningPersonalData } from './personal-data.ts'
import { joiningWords } from './words.ts'

export const joining = defineFeature({
  name: 'joining',
  uses: [users, people, settings, signIn, requests],
  tables: ['join_link', 'registration'],
  impersonalTables: {
    registration: 'people who have no account yet; deleted after some days, and with the person who has the same address',
  },
  reads: ['decision_request', 'one_time_link', 'user_group', 'user_group_member', 'user_profile'],
  words: joiningWords,
  personalData: joiningPersonalData,
  pages: ({ hasMail, limiter }) => [
    ...joinLinkPages,
    ...invitationPages,
    ...joinPages({
      hasMail,
      perAddress: limiter('registrations', 20),
      overall: limiter('registrations-overall', 60),
      guesses: limiter('registration-guesses', 10),
    }),
  ],
  tasks: joiningTasks,
  adds: [requestKinds.add(joiningRequest), erasing('registrations', deleteRegistrationsOfPerson)],
})
