import { sql } from 'kysely'
import { oauth } from '#features/access/oauth/feature.ts'
import { tokens } from '#features/access/tokens/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { accountHooks, erasing } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { checkIn } from '#features/on-the-day/check-in/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { eventForm } from '#features/planning/planning/points.ts'
import { series } from '#features/planning/series/feature.ts'
import { copyHooks } from '#features/planning/series/points.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { participantMounts } from '#features/staffing/participations/points.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import type { Page } from '#platform/http/page.ts'
import { federationApi } from './api/links.ts'
import { copyShares } from './commands/copy-shares.ts'
import { deleteExternalParticipations } from './commands/delete-external-participations.ts'
import { deleteFormerVisitors } from './commands/former-visitors.ts'
import { federationTasks, guestTeller } from './jobs.ts'
import { givingUpPage } from './pages/give-up.ts'
import { federationManagePages } from './pages/manage.ts'
import { openingPage } from './pages/openings.ts'
import { eventShareSection } from './pages/share-section.ts'
import { statementsPages } from './pages/statements.ts'
import { VISITOR_EVENT_PATH, visitorMount, visitPages } from './pages/visits.ts'
import { federationPersonalData } from './personal-data.ts'
import { findFormerVisitors } from './queries/former-visitors.ts'
import { findPlacesAtPartners } from './queries/statements.ts'
import { federationWords } from './words.ts'

export const federation = defineFeature({
  name: 'federation',
  module: {
    name: 'federation',
    icon: 'globe',
    presets: [],
    countUses: () => sql`select (select count(*) from federated_guest)::int + (select count(*) from federated_host)::int`,
  },
  uses: [users, settings, tokens, oauth, staffing, events, participations, planning, series, checkIn],
  tables: [
    'federated_guest',
    'visitor_session',
    'invite_code',
    'event_share',
    'federated_host',
    'partner_event',
    'participation_abroad',
    'denied_statement',
    'partner_event_opening',
    'guest_updates',
    'guest_copy',
    'visitor_objection',
    'host_updates',
    'partner_hours',
    'partner_objection',
  ],
  impersonalTables: {
    event_share: 'which event is shared with which partner',
    federated_guest: 'partner instances',
    federated_host: 'partner instances',
    guest_copy: 'what partners were told, as hashes',
    guest_updates: 'partner instances',
    host_updates: 'partner instances',
    visitor_objection: 'numbers of people of partners',
    partner_event: 'events of partners',
    visitor_session: 'people of partners',
  },
  reads: ['access_token', 'event', 'event_type', 'oauth_consent', 'participation', 'shift', 'user_profile', 'visitor'],
  words: federationWords,
  personalData: federationPersonalData,
  pages: ({ outbound, clock }) => [
    ...federationManagePages({ outbound: outbound(), clock }),
    ...statementsPages,
    openingPage,
    givingUpPage(outbound()),
    // People of partners take part by them, as the protocol says.
    ...visitPages(outbound()).map((page): Page => ({ ...page, isAlwaysOn: true })),
  ],
  apiTags: {
    federation: 'For partner instances: events that are shared with them, and their people here.',
  },
  endpoints: federationApi,
  tasks: (runtime) => federationTasks({ ...runtime, outbound: runtime.outbound() }),
  readers: (runtime) => [guestTeller(runtime)],
  adds: [
    participantMounts.add({ mount: visitorMount, eventPath: VISITOR_EVENT_PATH }),
    eventForm.section.add(eventShareSection),
    copyHooks.add(copyShares),
    accountHooks.add({ findPlacesAtPartners }),
    erasing('places at partners', deleteExternalParticipations),
    managementAreas.add(
      {
        href: '/manage/federation/',
        group: 'technology',
        icon: 'globe',
        label: 'federation.place',
        text: 'federation.place_text',
        isFor: isStaff,
      },
      180,
    ),
  ],
  retention: [{ name: 'visitors', setting: 'retention_visitors_days', find: findFormerVisitors, remove: deleteFormerVisitors }],
  sampleData: async () => (await import('./sample.ts')).loadHost,
})
