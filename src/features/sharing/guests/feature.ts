import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage, forPlanners } from '#features/events/events/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { eventForm } from '#features/planning/planning/points.ts'
import { series } from '#features/planning/series/feature.ts'
import { copyHooks } from '#features/planning/series/points.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { participantMounts } from '#features/staffing/participations/points.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { inModule } from '#platform/features/modules.ts'
import { deleteFormerGuests } from './commands/removal.ts'
import { copyGuestShare } from './commands/share.ts'
import { guestTasks } from './jobs.ts'
import { GUEST_EVENT_PATH, guestMount, guestPages } from './pages/guest.ts'
import { manageGuestPages } from './pages/manage.ts'
import { registerPage } from './pages/register.ts'
import { guestSection } from './pages/section.ts'
import { guestsPersonalData } from './personal-data.ts'
import { findFormerGuests } from './queries.ts'
import { guestSettings } from './schema.ts'
import { guestsWords } from './words.ts'

export const guests = defineFeature({
  name: 'guests',
  module: {
    name: 'guests',
    icon: 'user-plus',
    presets: ['festival'],
    countUses: () => sql`select count(*)::int from guest`,
  },
  uses: [users, settings, staffing, events, eligibility, participations, planning, series],
  tables: ['guest_share', 'guest', 'guest_qualification'],
  impersonalTables: {
    guest: 'people without an account, deleted by the retention rule or by the event',
    guest_share: 'links of events',
  },
  reads: ['event', 'event_type', 'participation', 'qualification', 'qualification_category', 'shift'],
  words: guestsWords,
  personalData: guestsPersonalData,
  pages: ({ hasMail, limiter }) => [
    registerPage({ hasMail, perAddress: limiter('guests', 30), perEvent: limiter('guests-of-event', 60) }),
    ...guestPages,
    ...manageGuestPages({ hasMail }),
  ],
  tasks: guestTasks,
  adds: [
    eventPage.action.add(
      { href: (id) => `/events/${id}/guests/`, task: 'staff', label: 'guests.title', icon: 'user-plus', isFor: forPlanners },
      30,
    ),
    settingsPage.section.add({ legend: 'instance.rules', settings: guestSettings }, 60),
    participantMounts.add({ mount: guestMount, eventPath: GUEST_EVENT_PATH, wrap: (page) => inModule(page, 'guests') }),
    eventForm.section.add(guestSection),
    copyHooks.add(copyGuestShare),
  ],
  retention: [
    {
      name: 'guests',
      getDays: async (db) => (await getSettings(db, guestSettings)).guest_retention_days,
      find: findFormerGuests,
      remove: deleteFormerGuests,
    },
  ],
})
