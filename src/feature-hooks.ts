import type { ShiftsOfBlocks } from '#features/building-blocks/commands/blocks.ts'
import { deleteOldMarks } from '#features/check-in/commands/retention.ts'
import { findOldMarks } from '#features/check-in/queries/roster.ts'
import { findShiftsOfBlocks } from '#features/events/queries/shifts-of-blocks.ts'
import { copyShares } from '#features/federation/commands/copy-shares.ts'
import { deleteFormerVisitors } from '#features/federation/commands/former-visitors.ts'
import { findFormerVisitors } from '#features/federation/queries/former-visitors.ts'
import { attachmentTemplate, copyAttachments } from '#features/files/commands.ts'
import { deleteFormerGuests } from '#features/guests/commands/removal.ts'
import { copyGuestShare } from '#features/guests/commands/share.ts'
import { findFormerGuests } from '#features/guests/queries.ts'
import { hoursRequest } from '#features/hours/commands.ts'
import { getInstanceSettings } from '#features/instance/queries.ts'
import { joiningRequest } from '#features/joining/commands/joining.ts'
import { deleteOldMessages } from '#features/messages/commands.ts'
import { findOldMessages } from '#features/messages/queries.ts'
import { deleteOldNotifications } from '#features/notifications/commands/delivery.ts'
import { findOldNotifications } from '#features/notifications/queries/outbox.ts'
import type { RetentionRule } from '#features/privacy/rules/retention.ts'
import { profileRequest } from '#features/profiles/commands/proposals.ts'
import { copyEventQualification } from '#features/qualification-requests/commands/event-qualifications.ts'
import { qualificationRequest } from '#features/qualification-requests/commands/requests.ts'
import type { QualificationHooks } from '#features/qualifications/commands/qualifications.ts'
import type { RequestKind } from '#features/requests/access.ts'
import { copyResources, resourceTemplate } from '#features/resources/commands.ts'
import type { CopyHook } from '#features/series/commands/copies.ts'
import { markShiftsOfBlocks, markShiftsOfQualifications } from '#features/staffing/commands/statistics.ts'
import { findShiftIdsOfBlocks } from '#features/staffing/queries/staffing.ts'
import type { TemplateHooks } from '#features/templates/commands.ts'
import { clearBirthDates } from '#features/users/commands/birth-dates.ts'
import { moveGrants } from '#features/users/commands/qualification-grants.ts'
import { findUnneededBirthDates } from '#features/users/queries/birth-dates.ts'
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
