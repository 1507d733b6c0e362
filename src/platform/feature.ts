import type { PersonalTable } from '#platform/db/personal-table.ts'
import type { DB } from '#platform/db/tables.ts'
import type { FeatureWords } from '#platform/i18n/catalogue.ts'

/** What a feature is and adds. `src/features.ts` lists all features; the architecture tests compare the code with these values. */
export type Feature = {
  /** The name of its folder. */
  name: string
  /** Features whose code it imports and whose words it shows. They stand before it in the list. */
  uses: readonly Feature[]
  /** Its tables. Only this feature writes them, and those that name them in `writes`. */
  tables?: readonly Table[]
  /** Tables of other features that it writes, too. */
  writes?: readonly Table[]
  /** Tables of features before it that its SQL reads. */
  reads?: readonly Table[]
  /**
   * Tables of features after it that its SQL reads, each with the reason. A new one needs a better reason than convenience: the owning
   * feature can export a condition or a projection, or `feature-hooks.ts` can have a hook.
   */
  readsAbove?: Readonly<Partial<Record<Table, string>>>
  words?: FeatureWords
  /** Columns that refer to people: what the download contains, and what an erasure and a merge do. */
  personalData?: readonly PersonalTable[]
}

type Table = keyof DB

export const defineFeature = (feature: Feature): Feature => feature
