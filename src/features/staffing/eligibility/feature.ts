import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { buildingBlocks } from '#features/events/building-blocks/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { availability } from '#features/staffing/availability/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { workingTimeLimits } from '#features/staffing/working-time-limits/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { eligibilityEndpoint } from './api.ts'
import { signupSettings } from './schema.ts'
import { eligibilityWords } from './words.ts'

export const eligibility = defineFeature({
  name: 'eligibility',
  uses: [qualifications, users, settings, buildingBlocks, staffing, events, questionnaires, workingTimeLimits, availability],
  reads: [
    'event',
    'event_group_grant',
    'event_type_required_qualification',
    'event_user_grant',
    'group_permission',
    'place_basis',
    'qualification_closure',
    'qualification_grant',
    'setting',
    'shift',
    'user_group_member',
    'user_permission',
    'user_profile',
  ],
  readsAbove: {
    event_share: 'visitors of a partner instance reach the events that are shared with it',
    federated_host: 'a confirmed shift at a partner instance is a conflict',
    guest: 'guests take part like users: their record is judged and named',
    guest_qualification: 'confirmed qualifications of guests count for their place',
    guest_share: 'guests reach their event while its link is active',
    participation: 'taken places, conflicts and the state of the own sign-up are participations',
    participation_abroad: 'a confirmed shift at a partner instance is a conflict',
    partner_event: 'a confirmed shift at a partner instance is a conflict',
    visitor: 'visitors take part like users: their record is judged and named',
    visitor_qualification: 'qualifications of visitors count for their place',
    waiting_entry: 'a place that is offered to the waiting list is free for one person only',
    waiting_line: 'nobody takes a place before the waiting list',
  },
  words: eligibilityWords,
  endpoints: [eligibilityEndpoint],
  adds: [settingsPage.section.add({ legend: 'instance.rules', settings: signupSettings }, 40)],
})
