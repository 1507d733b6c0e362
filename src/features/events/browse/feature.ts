import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { resources } from '#features/events/resources/feature.ts'
import { checkIn } from '#features/on-the-day/check-in/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { federation } from '#features/sharing/federation/feature.ts'
import { availability } from '#features/staffing/availability/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { exchanges } from '#features/staffing/exchanges/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { participantMounts } from '#features/staffing/participations/points.ts'
import { rosters } from '#features/staffing/rosters/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { waitingList } from '#features/staffing/waiting-list/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages, layout, navigationLink } from '#platform/features/layout.ts'
import { inModule } from '#platform/features/modules.ts'
import { endedLinksPart, eventsPart, navigationPart } from './layout.ts'
import { calendarPage } from './pages/calendar.ts'
import { eventPageAt, memberEventPage } from './pages/event.ts'
import { eventListPage } from './pages/event-list.ts'
import { externalPage } from './pages/external.ts'
import { feedPages } from './pages/feed.ts'
import { calendarSettingsPages } from './pages/feed-settings.ts'
import { findPage } from './pages/find.ts'
import { makeHomePage } from './pages/home.ts'
import { offerCalendarPage } from './pages/offer-calendar.ts'
import { findingWords } from './words.ts'

export const browse = defineFeature({
  name: 'browse',
  uses: [
    qualifications,
    users,
    settings,
    staffing,
    events,
    availability,
    eligibility,
    participations,
    waitingList,
    exchanges,
    removedShifts,
    shiftForms,
    planning,
    checkIn,
    resources,
    federation,
    rosters,
  ],
  reads: [
    'event',
    'event_group_grant',
    'event_type',
    'event_type_required_qualification',
    'event_user_grant',
    'federated_host',
    'participation',
    'host_updates',
    'participation_abroad',
    'partner_event',
    'partner_event_opening',
    'qualification_closure',
    'qualification_grant',
    'removed_participation',
    'removed_shift',
    'shift',
    'stand_in',
    'stand_in_person',
    'swap',
    'user_group_member',
    'user_profile',
    'waiting_entry',
  ],
  words: findingWords,
  pages: (runtime) => [
    makeHomePage(runtime),
    findPage,
    eventListPage,
    calendarPage,
    memberEventPage,
    ...runtime.site.added(participantMounts).map(eventPageAt),
    inModule(externalPage, 'federation'),
    ...feedPages,
    offerCalendarPage,
    ...calendarSettingsPages,
  ],
  adds: [
    eventPage.tool.add(
      {
        href: (id) => `/events/${id}/calendar.ics`,
        task: 'day',
        label: 'find.add_to_calendar',
        icon: 'calendar-plus',
        isFor: ({ isDraft }) => !isDraft,
      },
      70,
    ),
    layout.ownPart.add(navigationPart, 10),
    layout.ownPart.add(navigationLink('/events/calendar/', 'frame.calendar', 'frame.calendar', 'calendar-days'), 18),
    layout.ownPart.add(eventsPart, 20),
    layout.ownPart.add(endedLinksPart),
    accountPages.add({ href: '/settings/calendar/', label: 'settings.calendar', icon: 'calendar-days', isFolded: true }, 80),
  ],
})
