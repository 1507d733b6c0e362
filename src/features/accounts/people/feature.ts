import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { grantWrites } from './api/grants.ts'
import { groupWrites } from './api/groups.ts'
import { ownProfileWrites } from './api/own.ts'
import { ownDetailsApi } from './api/own-details.ts'
import { peopleWrites } from './api/people.ts'
import { groupsApi, heldQualificationsApi, usersApi } from './api/reads.ts'
import { profileChanged } from './kinds/profile-changed.ts'
import { groupPages } from './pages/groups.ts'
import { managePage } from './pages/manage.ts'
import { peoplePages } from './pages/people.ts'
import { personPages } from './pages/person.ts'
import { peopleWords } from './words.ts'

const USAGE = 'the page to delete a record says where it is used'

export const people = defineFeature({
  name: 'people',
  uses: [notificationKinds, qualifications, users],
  writes: ['qualification_grant', 'user_group', 'user_group_member', 'group_permission', 'group_grant'],
  reads: ['qualification', 'user_profile'],
  readsAbove: {
    event_group_grant: USAGE,
    event: USAGE,
    event_type_default_group: USAGE,
  },
  words: peopleWords,
  pages: [managePage, ...peoplePages, ...personPages, ...groupPages],
  apiTags: {
    users: 'Profiles of people.',
    groups: 'Groups and their members.',
  },
  endpoints: [
    ...usersApi,
    ...ownProfileWrites,
    ...ownDetailsApi,
    ...peopleWrites,
    ...groupsApi,
    ...groupWrites,
    ...heldQualificationsApi,
    ...grantWrites,
  ],
  adds: [
    notificationKind.add(profileChanged, 140),
    managementAreas.add(
      {
        href: '/manage/people/',
        group: 'people',
        icon: 'users',
        label: 'manage.people',
        text: 'manage.people_text',
        isFor: (actor) => hasPermission(actor, 'view_user'),
      },
      10,
    ),
    managementAreas.add(
      {
        href: '/manage/groups/',
        group: 'people',
        icon: 'handshake',
        label: 'manage.groups',
        text: 'manage.groups_text',
        isFor: (actor) => hasPermission(actor, 'view_group'),
      },
      20,
    ),
  ],
})
