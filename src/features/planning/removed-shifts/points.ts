import type { RawBuilder } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'

/** Rows that belong to a shift. A test compares the list with the foreign keys of the database. */
export type ShiftRows = {
  table: keyof DB
  /** The column that refers to the shift, to one of its participations, or to a row of another table in the list. */
  column: string
  of: 'shift' | 'participation' | keyof DB
} & (
  | {
      /** What is stored of the row `t`, if something ends with the shift; default: all of it. */
      stored?: (now: Date) => RawBuilder<unknown>
      /** The column with the person whom the row is about, if not by the participation. */
      person?: string
      /** Further columns that refer to people. */
      people?: readonly string[]
      /** The row stays without the shift, and refers to it again when the shift is restored. */
      isLink?: true
    }
  /** Why the rows are deleted and do not come back. */
  | { lost: string }
)

/** Rows that are stored when a shift is removed. Those that others refer to have a lower rank. */
export const shiftRows = extensionPoint<ShiftRows>('removed-shifts.rows', { isAlwaysOn: true })
