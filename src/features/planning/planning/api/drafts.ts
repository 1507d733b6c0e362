import { eventRecord } from '#features/events/events/schema/events.ts'
import { printInstant } from '#features/staffing/staffing/rules/opening.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { readingToWrite } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint, listEndpoint } from '#platform/http/endpoint.ts'
import type { JsonBytes } from '#platform/http/json.ts'
import { wireTime, wireTimeOrNull } from '#platform/http/time-format.ts'
import { BIN_DAYS } from '../commands/bin.ts'
import { type BinRow, findBinRows, findDraftRecords, getDraft, getEventRevision } from '../queries/records.ts'
import { deletedEventRecord } from './bodies.ts'

const DAY_MS = 24 * 3600_000

function presentDeleted(row: BinRow, { site }: RequestContext) {
  const deletedAt = wireTime(row.deleted_at, site.timeZone)
  return {
    id: row.id,
    title: row.title,
    start_time: wireTimeOrNull(row.start_time, site.timeZone),
    shift_count: row.shift_count,
    participation_count: row.participation_count,
    deleted_at: deletedAt,
    removed_at: printInstant(new Date(new Date(deletedAt).getTime() + BIN_DAYS * DAY_MS), site.timeZone),
  }
}

const serialized = (body: JsonBytes): JsonBytes => body

/** What planners need to find again what other lists of the API leave out. */
export const draftReads: Endpoint[] = [
  ...collectionEndpoints({
    path: '/api/events/drafts/',
    access: readingToWrite('PUBLIC_READ', 'PUBLIC_WRITE', 'add_event'),
    name: 'Draft',
    tag: 'events',
    summary: 'Drafts that the caller may change, the newest first',
    recordSummary: 'One draft',
    recordDescription: 'Its ETag is the version for changes at `/api/events/{id}/`.',
    parameters: {},
    record: eventRecord,
    find: (context, _query, page) => findDraftRecords(context, page),
    get: (context, { id }) => getDraft(context, id),
    revision: getEventRevision,
    present: serialized,
  }),
  listEndpoint({
    path: '/api/events/bin/',
    access: readingToWrite('PUBLIC_READ', 'PUBLIC_WRITE', 'delete_event'),
    tag: 'events',
    parameters: {},
    name: 'Bin List',
    operationId: 'events_bin_list',
    summary: 'Deleted events that the caller may restore, the last deleted first',
    item: deletedEventRecord,
    find: (context, _query, page) => findBinRows(context, page),
    present: presentDeleted,
  }),
]
