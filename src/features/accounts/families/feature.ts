import { sql } from 'kysely'
import { ownProfile } from '#features/accounts/own-profile/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { personPage } from '#features/accounts/people/points.ts'
import { users } from '#features/accounts/users/feature.ts'
import { browse } from '#features/events/browse/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { availability } from '#features/staffing/availability/feature.ts'
import { calendarOptionsOf } from '#features/staffing/availability/jobs.ts'
import { availabilityPagesAt } from '#features/staffing/availability/pages/availability.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { participantMounts } from '#features/staffing/participations/points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { homePage } from '#platform/features/home.ts'
import { layout } from '#platform/features/layout.ts'
import { inModule } from '#platform/features/modules.ts'
import { familyTasks } from './jobs.ts'
import { guardianshipEnded } from './kinds/guardianship-ended.ts'
import { guardianshipEnding } from './kinds/guardianship-ending.ts'
import { guardianshipPart } from './kinds/part.ts'
import { familyPart } from './layout.ts'
import { forChild } from './pages/child.ts'
import { FAMILY_EVENT_PATH, familyEventPage, familyLink, familyMount } from './pages/family.ts'
import { personGuardiansSection } from './pages/guardians.ts'
import { familyPages } from './pages/routes.ts'
import { childPath } from './rules.ts'
import { familySettings } from './schema.ts'
import { familiesWords } from './words.ts'

export const families = defineFeature({
  name: 'families',
  module: {
    name: 'families',
    icon: 'handshake',
    presets: ['club'],
    countUses: () => sql`select count(distinct child_id)::int from guardianship`,
  },
  uses: [notificationKinds, users, people, settings, events, availability, participations, browse, ownProfile],
  reads: ['guardianship', 'user_profile'],
  words: familiesWords,
  pages: (runtime) => [
    ...familyPages,
    ...availabilityPagesAt(
      '/family/{child}/availability/',
      ({ path }) => childPath((path as { child: number }).child, 'availability'),
      calendarOptionsOf(runtime),
    ).map((page) => inModule(forChild(page), 'availability')),
  ],
  tasks: familyTasks,
  adds: [
    settingsPage.section.add({ legend: 'instance.families', settings: familySettings }, 30),
    notificationKind.add(guardianshipEnding, 160),
    notificationKind.add(guardianshipEnded, 170),
    guardianshipPart,
    participantMounts.add({
      mount: familyMount,
      eventPath: FAMILY_EVENT_PATH,
      wrap: (page) => inModule(forChild(page), 'families'),
      wrapEvent: (page) => inModule(familyEventPage(page), 'families'),
    }),
    homePage.link.add(familyLink, 10),
    personPage.section.add(personGuardiansSection, 10),
    layout.ownPart.add(familyPart, 20),
  ],
  sampleData: async () => (await import('./sample.ts')).loadFamily,
})
