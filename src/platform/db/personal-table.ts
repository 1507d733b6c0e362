import type { DB } from './tables.ts'

type Table = Exclude<keyof DB, 'migration'>

/** Tables that hold no data of a person with an account, each with the reason. */
export type ImpersonalTables = Readonly<Partial<Record<keyof DB, string>>>

/** Why the export names a column without giving its value. */
type Withheld =
  /** Lets others act for the person, or is a hash or seal that says nothing. */
  | 'secret'
  /** Tells about another person. */
  | 'other_person'
  /** Follows from other columns. */
  | 'derived'

/** What happens to rows of an account that becomes part of another one. */
type MergeRule =
  | { do: 'move' }
  /** Rows whose other columns of the key the remaining account has already are deleted, the others move. */
  | { do: 'move_missing'; key: readonly string[] }
  /** Credentials of the former account end, so that they never act for another account. */
  | { do: 'delete' }
  /** `privacy/commands/merge-steps.ts` decides row by row. */
  | { do: 'step' }
  | { do: 'stay'; because: string }

export const MOVE: MergeRule = { do: 'move' }
export const DELETE: MergeRule = { do: 'delete' }
export const STEP: MergeRule = { do: 'step' }
export const missing = (...key: string[]): MergeRule => ({ do: 'move_missing', key })

/** What is left of a reference to a person who was erased. `anonymous`: the row stays and refers to a person without a name. */
export type Erased = 'deleted' | 'anonymous' | 'cleared'

/**
 * A column that refers to a person, with what the export, the erasure and the merging of accounts do with its rows. Every foreign key to
 * `user_profile` needs one (`privacy/completeness.test.ts`); `personal-data.ts` of a feature lists those of its tables.
 */
export type PersonalTable = {
  table: Table
  /** Refers to the person; with `via`, a column of that table. */
  column: string
  /** Rows belong to the person through another table: `table.key` refers to `via.id`. */
  via?: { table: Table; id: string; key: string }
  /** A further condition on the row `t`. */
  where?: string
  export:
    | {
        /** The name in `data.json`; the heading is `privacy.section_…`. */
        section: string
        /** Default: all columns, so that the export includes new ones. */
        only?: readonly string[]
        without?: Record<string, Withheld>
        /** Readable values besides the columns: SQL expressions over the row `t`. */
        adds?: Record<string, string>
      }
    | { section?: undefined; because: string }
  merge: MergeRule
  erased: Erased
}
