import { oauth } from '#features/access/oauth/feature.ts'
import { tokens } from '#features/access/tokens/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { federationPersonalData } from './personal-data.ts'
import { federationWords } from './words.ts'

export const federation = defineFeature({
  name: 'federation',
  uses: [settings, tokens, oauth, staffing, events, participations],
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
  ],
  reads: ['access_token', 'event', 'event_type', 'oauth_consent', 'participation', 'shift', 'user_profile', 'visitor'],
  words: federationWords,
  personalData: federationPersonalData,
})
