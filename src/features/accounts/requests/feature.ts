import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { hasPermission, isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { homePage } from '#platform/features/home.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { requestsApi } from './api.ts'
import { deleteRequestsOf } from './commands.ts'
import { requestPart } from './kinds/part.ts'
import { requestCreated } from './kinds/request-created.ts'
import { requestDecided } from './kinds/request-decided.ts'
import { requestPages, requestsLink } from './pages.ts'
import { requestsPersonalData } from './personal-data.ts'
import { requestSettings } from './schema.ts'
import { requestsWords } from './words.ts'

export const requests = defineFeature({
  name: 'requests',
  uses: [notificationKinds, users, settings],
  tables: ['decision_request'],
  reads: ['event_group_grant', 'event_user_grant', 'group_grant', 'user_group_member', 'user_profile'],
  words: requestsWords,
  personalData: requestsPersonalData,
  pages: requestPages,
  apiTags: {
    requests: 'What people ask for and others decide.',
  },
  endpoints: requestsApi,
  adds: [
    settingsPage.section.add({ legend: 'instance.rules', settings: requestSettings }, 70),
    notificationKind.add(requestDecided, 180),
    notificationKind.add(requestCreated, 300),
    requestPart,
    homePage.link.add(requestsLink, 30),
    erasing('requests', deleteRequestsOf),
    managementAreas.add(
      {
        href: '/manage/requests/',
        group: 'people',
        icon: 'list-checks',
        label: 'requests.title',
        text: 'requests.place_text',
        isFor: (actor) =>
          isStaff(actor) || (['change_user', 'change_group', 'add_user'] as const).some((name) => hasPermission(actor, name)),
      },
      40,
    ),
  ],
})
