import type { Keyring } from '#platform/auth/secrets.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { Words } from '#platform/i18n/words.ts'

export const AREAS = [
  'mail',
  'backup',
  'disk',
  'jobs',
  'database',
  'partners',
  'settings',
  'extensions',
  'files',
  'records',
  'errors',
  'version',
] as const
export type Area = (typeof AREAS)[number]

export type CheckInput = {
  db: Database
  config: Config
  files: FileStore
  /** Undefined if the process has no secret key. */
  keyring: Keyring | undefined
  version: string
  now: Date
  words: Words
}

/** `info`: neither good nor bad. */
export type Fact = {
  state: 'good' | 'bad' | 'info'
  text: string
  /** The page where more is shown. */
  href?: string
  /** Repairs it without losing data. */
  fix?: () => Promise<void>
}

export type AreaFacts = { area: Area; facts: readonly Fact[] }

export type Check = {
  area: Area
  /** Reads much or asks other servers, so the page does it on demand only. */
  isThorough?: true
  find: (input: CheckInput) => Promise<readonly Fact[]>
}

/** On the own machine nobody else is served: missing mail and backups are no fault there. */
export const isOwnMachine = ({ siteUrl }: Pick<Config, 'siteUrl'>): boolean =>
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(siteUrl)
