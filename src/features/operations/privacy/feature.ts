import { signIn } from '#features/access/sign-in/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { auditLog } from '#features/operations/audit-log/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { privacyPersonalData } from './personal-data.ts'
import { privacyWords } from './words.ts'

export const privacy = defineFeature({
  name: 'privacy',
  uses: [users, settings, signIn, staffing, events, auditLog],
  tables: ['erasure_request', 'retention_run'],
  reads: [
    'access_token',
    'answer',
    'attachment',
    'attendance',
    'attendance_result',
    'audience',
    'content_page',
    'decision_request',
    'email_change',
    'event',
    'event_group_grant',
    'event_share',
    'event_type',
    'event_user_grant',
    'federated_guest',
    'federated_host',
    'group_permission',
    'guardianship',
    'guest_share',
    'journal',
    'oauth_application',
    'oauth_consent',
    'participation',
    'participation_abroad',
    'partner_event',
    'place_basis',
    'profile_group_grant',
    'profile_picture',
    'profile_user_grant',
    'qualification_grant',
    'qualification_proof',
    'session',
    'setting',
    'shift',
    'stored_file',
    'user_group',
    'user_group_member',
    'user_permission',
    'user_profile',
  ],
  words: privacyWords,
  personalData: privacyPersonalData,
})
