import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { buildingBlocks } from '#features/events/building-blocks/feature.ts'
import { blockHooks } from '#features/events/building-blocks/points.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { eventTypeWrites } from './api/event-types.ts'
import { eventsApi, eventTypesApi } from './api/reads.ts'
import { removeDefaultResponsible } from './commands/event-type-people.ts'
import { eventTypePages } from './pages/event-types.ts'
import { eventsPersonalData } from './personal-data.ts'
import { findShiftsOfBlocks } from './queries/shifts-of-blocks.ts'
import { eventsWords } from './words.ts'

export const events = defineFeature({
  name: 'events',
  uses: [notificationKinds, users, buildingBlocks, staffing],
  tables: [
    'event_type',
    'event_type_default_group',
    'event_type_default_user',
    'event_type_required_qualification',
    'event',
    'event_group_grant',
    'event_user_grant',
    'shift',
  ],
  impersonalTables: {
    audience: 'sets of groups',
    event_group_grant: 'grants to groups',
    event_type: 'settings of events',
    event_type_default_group: 'groups',
    event_type_required_qualification: 'settings of events',
    shift: 'shifts',
  },
  reads: [
    'audience',
    'group_grant',
    'qualification',
    'qualification_category',
    'user_group',
    'user_group_member',
    'user_profile',
  ],
  readsAbove: { participation: 'people see the events in which they take part' },
  words: eventsWords,
  personalData: eventsPersonalData,
  pages: eventTypePages,
  apiTags: {
    events: 'Events with their shifts: reading, planning, publishing, cancelling, the bin.',
    shifts: 'Shifts, and who reaches them: eligibility, sign-up, decline, candidates.',
    'event-types': 'Kinds of events with their defaults.',
  },
  endpoints: [...eventsApi, ...eventTypesApi, ...eventTypeWrites],
  adds: [
    blockHooks.add({ findShifts: findShiftsOfBlocks }),
    erasing('default responsibilities', removeDefaultResponsible),
    managementAreas.add(
      {
        href: '/manage/event-types/',
        group: 'events',
        icon: 'tag',
        label: 'manage.event_types',
        text: 'manage.event_types_text',
        isFor: (actor) => hasPermission(actor, 'view_event_type'),
      },
      70,
    ),
  ],
})
