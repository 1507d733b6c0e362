import type { Keyring } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import type { Calendar } from '#platform/sample-data/calendar.ts'
import type { Random } from '#platform/sample-data/random.ts'

type SamplePerson = { id: number; email: string; isVisible: boolean; castName: string | null }

/** The organisation that those who try the program out see, and the transaction in which its data is written. */
export type SampleContext = {
  /** Of people, events and all texts. */
  language: SourceLanguage
  tx: Tx
  now: Date
  timeZone: string
  calendar: Calendar
  /** Random numbers of a fixed seed, so that each run makes equal rows. */
  random: Random
  keyring: Keyring
  /** Undefined: there are no files. */
  files: FileStore | undefined
  people: readonly SamplePerson[]
  /** Ids of groups by name. */
  groups: Readonly<Record<'members' | 'youth', number>>
}

export type SampleLoader = (context: SampleContext) => Promise<void>

/** One of the people who can sign in. */
export const castMember = ({ people }: SampleContext, name: string): SamplePerson =>
  people.find(({ castName }) => castName === name)!

/** Writes what features show in the sample data. */
export async function loadSampleData(
  features: readonly { sampleData?: () => Promise<SampleLoader> }[],
  context: SampleContext,
): Promise<void> {
  for (const { sampleData } of features) await (await sampleData?.())?.(context)
}
