import { people } from '#features/accounts/people/feature.ts'
import { personPage } from '#features/accounts/people/points.ts'
import { requests } from '#features/accounts/requests/feature.ts'
import { requestKinds } from '#features/accounts/requests/points.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing, profileSections } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { ownPictureApi } from './api.ts'
import { deleteProfileOf } from './commands/picture.ts'
import { profileRequest } from './commands/proposals.ts'
import { emailChangeMailTask } from './jobs.ts'
import { personPicture, profilePages, profileSection } from './pages.ts'
import { profilesPersonalData } from './personal-data.ts'
import { profilesWords } from './words.ts'

export const ownProfile = defineFeature({
  name: 'own-profile',
  uses: [users, people, settings, events, requests],
  tables: ['profile_picture', 'email_change'],
  reads: ['event', 'participation', 'profile_group_grant', 'profile_user_grant', 'stored_file', 'user_profile'],
  words: profilesWords,
  personalData: profilesPersonalData,
  endpoints: ownPictureApi,
  pages: ({ hasMail, files }) => profilePages({ hasMail, files }),
  tasks: (runtime) => [emailChangeMailTask(runtime)],
  adds: [
    profileSections.add(profileSection),
    personPage.picture.add(personPicture),
    requestKinds.add(profileRequest),
    erasing('picture and change of address', deleteProfileOf),
  ],
})
