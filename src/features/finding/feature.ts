import { availability } from '#features/availability/feature.ts'
import { disposition } from '#features/disposition/feature.ts'
import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { federation } from '#features/federation/feature.ts'
import { guests } from '#features/guests/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { offers } from '#features/offers/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { planning } from '#features/planning/feature.ts'
import { qualifications } from '#features/qualifications/feature.ts'
import { resources } from '#features/resources/feature.ts'
import { rosters } from '#features/rosters/feature.ts'
import { shiftForms } from '#features/shift-forms/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { findingWords } from './words.ts'

export const finding = defineFeature({
  name: 'finding',
  uses: [
    qualifications,
    users,
    instance,
    staffing,
    events,
    availability,
    eligibility,
    participations,
    offers,
    shiftForms,
    planning,
    disposition,
    resources,
    federation,
    guests,
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
    'participation_abroad',
    'partner_event',
    'partner_event_opening',
    'qualification_closure',
    'qualification_grant',
    'shift',
    'stand_in',
    'stand_in_person',
    'swap',
    'user_group_member',
    'user_profile',
    'waiting_entry',
  ],
  words: findingWords,
})
