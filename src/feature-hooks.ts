import type { ShiftsOfBlocks } from '#features/building-blocks/commands/blocks.ts'
import { findShiftsOfBlocks } from '#features/events/queries/shifts-of-blocks.ts'
import { copyShares } from '#features/federation/commands/copy-shares.ts'
import { copyAttachments } from '#features/files/commands.ts'
import { copyGuestShare } from '#features/guests/commands/share.ts'
import { hoursRequest } from '#features/hours/commands.ts'
import { copyEventQualification } from '#features/qualification-requests/commands/event-qualifications.ts'
import { qualificationRequest } from '#features/qualification-requests/commands/requests.ts'
import type { QualificationHooks } from '#features/qualifications/commands/qualifications.ts'
import type { RequestKind } from '#features/requests/access.ts'
import { copyResources } from '#features/resources/commands.ts'
import type { CopyHook } from '#features/series/commands.ts'
import { markShiftsOfBlocks, markShiftsOfQualifications } from '#features/staffing/commands/statistics.ts'
import { findShiftIdsOfBlocks } from '#features/staffing/queries/staffing.ts'
import { moveGrants } from '#features/users/commands/qualification-grants.ts'
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

/** What depends on qualifications is updated in the transaction that changes them. */
export const qualificationHooks: QualificationHooks = { markShiftsStale: markShiftsOfQualifications, moveGrants }

export const qualificationRequests = qualificationRequest(accountHooks)

/** Kinds of requests that people decide about others. */
export const REQUEST_KINDS: RequestKind[] = [hoursRequest, qualificationRequests]
