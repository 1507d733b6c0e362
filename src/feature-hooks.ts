import { joiningRequest } from '#features/accounts/joining/commands/joining.ts'
import { profileRequest } from '#features/accounts/own-profile/commands/proposals.ts'
import { copyEventQualification } from '#features/accounts/qualification-requests/commands/event-qualifications.ts'
import { qualificationRequest } from '#features/accounts/qualification-requests/commands/requests.ts'
import type { QualificationHooks } from '#features/accounts/qualifications/commands/qualifications.ts'
import type { RequestKind } from '#features/accounts/requests/access.ts'
import { clearBirthDates } from '#features/accounts/users/commands/birth-dates.ts'
import { moveGrants } from '#features/accounts/users/commands/qualification-grants.ts'
import { findUnneededBirthDates } from '#features/accounts/users/queries/birth-dates.ts'
import type { ShiftsOfBlocks } from '#features/events/building-blocks/commands/blocks.ts'
import { findShiftsOfBlocks } from '#features/events/events/queries/shifts-of-blocks.ts'
import { attachmentTemplate, copyAttachments } from '#features/events/files/commands.ts'
import { copyResources, resourceTemplate } from '#features/events/resources/commands.ts'
import { deleteOldMessages } from '#features/messaging/messages/commands.ts'
import { findOldMessages } from '#features/messaging/messages/queries.ts'
import { deleteOldNotifications } from '#features/messaging/notifications/commands/delivery.ts'
import { findOldNotifications } from '#features/messaging/notifications/queries/outbox.ts'
import { deleteOldMarks } from '#features/on-the-day/check-in/commands/retention.ts'
import { findOldMarks } from '#features/on-the-day/check-in/queries/roster.ts'
import { hoursRequest } from '#features/on-the-day/hours/commands.ts'
import type { RetentionRule } from '#features/operations/privacy/rules/retention.ts'
import { getInstanceSettings } from '#features/operations/settings/queries.ts'
import type { CopyHook } from '#features/planning/series/commands/copies.ts'
import type { TemplateHooks } from '#features/planning/templates/commands.ts'
import { copyShares } from '#features/sharing/federation/commands/copy-shares.ts'
import { deleteFormerVisitors } from '#features/sharing/federation/commands/former-visitors.ts'
import { findFormerVisitors } from '#features/sharing/federation/queries/former-visitors.ts'
import { deleteFormerGuests } from '#features/sharing/guests/commands/removal.ts'
import { copyGuestShare } from '#features/sharing/guests/commands/share.ts'
import { findFormerGuests } from '#features/sharing/guests/queries.ts'
import { markShiftsOfBlocks, markShiftsOfQualifications } from '#features/staffing/staffing/commands/statistics.ts'
import { findShiftIdsOfBlocks } from '#features/staffing/staffing/queries/staffing.ts'
import { findOldEntries } from '#platform/journal/entries.ts'
import { deleteOldEntries } from '#platform/journal/journal.ts'
import { accountHooks } from './account-hooks.ts'

/** What depends on building blocks is updated in the transaction that changes them. */
export const shiftsOfBlocks: ShiftsOfBlocks = {
  find: findShiftsOfBlocks,
  findIds: findShiftIdsOfBlocks,
  touch: markShiftsOfBlocks,
}

/** What features copy with an event. */
export const COPY_HOOKS: CopyHook[] = [
  copyShares,
  copyGuestShare,
  (tx, _context, ids) => copyEventQualification(tx, ids),
  (tx, _context, ids) => copyAttachments(tx, ids),
  (tx, _context, _ids, shifts) => copyResources(tx, shifts),
]

/** What features keep in templates. */
export const TEMPLATE_HOOKS: TemplateHooks = [attachmentTemplate, resourceTemplate]

/** What depends on qualifications is updated in the transaction that changes them. */
export const qualificationHooks: QualificationHooks = { markShiftsStale: markShiftsOfQualifications, moveGrants }

export const qualificationRequests = qualificationRequest(accountHooks)

/** Kinds of requests that people decide about others. */
export const REQUEST_KINDS: RequestKind[] = [hoursRequest, qualificationRequests, joiningRequest(accountHooks), profileRequest]

/** What is deleted after a time. */
export const RETENTION_RULES: RetentionRule[] = [
  {
    name: 'guests',
    getDays: async (db) => (await getInstanceSettings(db)).guest_retention_days,
    find: findFormerGuests,
    remove: deleteFormerGuests,
  },
  { name: 'visitors', setting: 'retention_visitors_days', find: findFormerVisitors, remove: deleteFormerVisitors },
  {
    name: 'journal',
    setting: 'retention_journal_days',
    find: findOldEntries,
    remove: ({ db }, before) => deleteOldEntries(db, before),
  },
  {
    name: 'notifications',
    setting: 'retention_notifications_days',
    find: findOldNotifications,
    remove: ({ db }, before) => deleteOldNotifications(db, before),
  },
  {
    name: 'messages',
    setting: 'retention_messages_days',
    find: findOldMessages,
    remove: ({ db }, before) => deleteOldMessages(db, before),
  },
  {
    name: 'attendance',
    setting: 'retention_attendance_days',
    find: findOldMarks,
    remove: ({ db }, before) => deleteOldMarks(db, before),
  },
  { name: 'birth_dates', setting: 'retention_birth_dates_days', find: findUnneededBirthDates, remove: clearBirthDates },
]
