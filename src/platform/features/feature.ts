import type { CommandEntry } from '#platform/command-line/command.ts'
import type { ImpersonalTables, PersonalTable } from '#platform/db/personal-table.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Cors } from '#platform/http/cors.ts'
import type { Endpoint, Include } from '#platform/http/endpoint.ts'
import type { Mount } from '#platform/http/mount.ts'
import type { DocumentParts } from '#platform/http/openapi.ts'
import type { GaugeSource } from '#platform/http/operations.ts'
import type { Page } from '#platform/http/page.ts'
import type { FeatureWords } from '#platform/i18n/catalogue.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { JournalReader } from '#platform/journal/readers.ts'
import type { Added, Addition } from './extension-points.ts'
import type { Module, ModulePart } from './modules.ts'
import type { RetentionRule } from './retention.ts'
import type { Runtime } from './runtime.ts'
import type { SampleLoader } from './sample-data.ts'

/** What a feature is and adds. `src/features.ts` lists all features; the architecture tests compare the code with these values. */
export type Feature = {
  /** The name of its folder. */
  name: string
  /** Features whose code it imports and whose words it shows. They stand before it in the list. */
  uses: readonly Feature[]
  /**
   * An administrator switches it on and off; absent: always on. `{ partOf }`: it is switched with the module of that name. Off, it has no
   * pages and no jobs and adds nothing, except what is marked as always on. Endpoints, personal data, retention and commands stay.
   */
  module?: Module | ModulePart
  /** Its tables. Only this feature writes them, and those that name them in `writes`. */
  tables?: readonly Table[]
  /** Its tables, and those of its triggers, that hold no data of people with an account, each with the reason. */
  impersonalTables?: ImpersonalTables
  /** Tables of other features that it writes, too. */
  writes?: readonly Table[]
  /** Tables of features before it that its SQL reads. */
  reads?: readonly Table[]
  /**
   * Tables of features after it that its SQL reads, each with the reason. A new one needs a better reason than convenience: the owning
   * feature can export a condition or a projection, or add to an extension point.
   */
  readsAbove?: Readonly<Partial<Record<Table, string>>>
  words?: FeatureWords
  pages?: readonly Page[] | ((runtime: Runtime) => readonly Page[])
  /** `all`: every endpoint of the API, to be called while a request is served. */
  endpoints?: readonly Endpoint[] | ((all: () => readonly Endpoint[], added: Added) => readonly Endpoint[])
  /** Tags of endpoints with what they are about, for the API document; of a tag of several features, in the first of them. */
  apiTags?: DocumentParts['tags']
  /** Requests that it sends to programs, for the API document, by the component of their body. */
  apiWebhooks?: DocumentParts['webhooks']
  /** Related records that lists of other features can include, by path of the list and name. */
  includes?: Readonly<Record<string, Readonly<Record<string, Include>>>>
  /** Background jobs. */
  tasks?: (runtime: Runtime) => readonly Task[]
  /** Readers of the journal. */
  readers?: (runtime: Runtime) => readonly JournalReader[]
  /** What runs as long as the server or the worker does. */
  processes?: (runtime: Runtime) => readonly FeatureProcess[]
  /** Commands of the command line. */
  commands?: readonly CommandEntry[]
  /** What it adds at extension points of features before it, and of the platform. */
  adds?: readonly Addition[]
  /** What it deletes after a time. */
  retention?: readonly RetentionRule[]
  /** Figures for the monitoring. */
  gauges?: (runtime: Runtime) => readonly GaugeSource[]
  /** Protocols that are neither pages nor endpoints. */
  mounts?: (runtime: Runtime) => readonly Mount[]
  /** Which other origins may call the API. */
  cors?: (runtime: Runtime) => readonly Cors[]
  /** Columns that refer to people: what the download contains, and what an erasure and a merge do. */
  personalData?: readonly PersonalTable[]
  /** What it shows to those who try the program out. Runs after the sample people and events were written. */
  sampleData?: () => Promise<SampleLoader>
}

/** `start` and `stop` may be called twice if server and worker are one process. */
export type FeatureProcess = { runsWith: readonly ('server' | 'worker')[]; start: () => void; stop: () => Promise<void> }

type Table = keyof DB

export const defineFeature = (feature: Feature): Feature => feature
