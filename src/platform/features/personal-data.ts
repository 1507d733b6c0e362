import { DELETE, type ImpersonalTables, MOVE, type PersonalTable } from '#platform/db/personal-table.ts'
import type { Feature } from '#platform/features/feature.ts'

/** Tables of the platform. */
const PLATFORM_TABLES: readonly PersonalTable[] = [
  {
    table: 'idempotency_key',
    column: 'user_id',
    export: { section: 'repeated_requests', only: ['status', 'created_at'] },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'journal',
    column: 'person_id',
    export: { section: 'log_about_me', without: { actor_id: 'other_person', request_id: 'derived' } },
    merge: MOVE,
    erased: 'cleared',
  },
  {
    table: 'journal',
    column: 'actor_id',
    where: "t.actor_kind = 'user'",
    export: {
      section: 'log_by_me',
      without: { personal: 'other_person', person_id: 'other_person', request_id: 'derived' },
    },
    merge: MOVE,
    erased: 'anonymous',
  },
]

/**
 * Every table with data of people who have an account: what they download, what an erasure leaves, and what happens when two accounts
 * become one. A table that refers to `user_profile` needs an entry for each such column in its feature. The download has this order.
 */
export const personalDataOf = (features: readonly Feature[]): PersonalTable[] => [
  ...features.flatMap(({ personalData = [] }) => personalData),
  ...PLATFORM_TABLES,
]

/** Of the platform. */
const IMPERSONAL_TABLES: ImpersonalTables = {
  cache_mark: 'numbers of transactions',
  migration: 'the history of the schema',
  rate_count: 'hashes, for a minute',
  stored_file: 'names and sizes; the export has the files of attachments and proofs',
}

export const impersonalTablesOf = (features: readonly { impersonalTables?: ImpersonalTables }[]): ImpersonalTables =>
  Object.assign({}, IMPERSONAL_TABLES, ...features.map(({ impersonalTables }) => impersonalTables))
