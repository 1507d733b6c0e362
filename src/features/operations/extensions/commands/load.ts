import { pathToFileURL } from 'node:url'
import type { Extension, PersonalColumn } from '#extension'
import { addFlows } from '#features/staffing/staffing/flows/registry.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Feature } from '#platform/features/feature.ts'
import { modulesOf } from '#platform/features/modules.ts'
import { type FeatureWords, replaceWords } from '#platform/i18n/catalogue.ts'
import { type Language, SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import type { Messages } from '#platform/i18n/message.ts'
import type { Log } from '#platform/log.ts'
import { findPersonalData } from '../queries/extensions.ts'
import { flowOf, kindOf, moduleOf, sectionOf, wordOf } from '../rules/names.ts'
import { adaptExtension } from './adapt.ts'
import { importChecked } from './check.ts'
import { BUDGETS, type Budgets, makeGuard } from './guard.ts'
import { type Located, locate } from './import.ts'
import { migrateExtension } from './migrations.ts'
import { personalFeature } from './personal.ts'
import { storeClient } from './screens.ts'
import { stopExtension } from './stop.ts'
import { startWatchdog } from './watchdog.ts'

export type LoadOptions = {
  /** As the setting EXTENSIONS names them. */
  sources: readonly string[]
  workingFolder: string
  db: Database
  /** For a connection of its own. */
  databaseUrl: string
  log: Log
  clock: Clock
  /** Of Turnout. */
  features: readonly Feature[]
  /** Of the instance. */
  language?: Language
  budgets?: Partial<Budgets>
}

type LoadedExtensions = { features: Feature[]; stop: () => Promise<void> }

type Outcome = { source: string; extension: Extension } | { source: string; name: string; version?: string; problem: string }

/**
 * Loads what the operator has named. Whatever is wrong with an extension is stored as its problem, and the others and Turnout go on without
 * it. Personal data of extensions whose code cannot be loaded is known from the last time.
 */
export async function loadExtensions(options: LoadOptions): Promise<LoadedExtensions> {
  const { sources, db, workingFolder } = options
  const known = await findPersonalData(db.write)
  if (!sources.length && !known.length) return { features: [], stop: async () => {} }
  const budgets = { ...BUDGETS, ...options.budgets }
  const found: Found[] = []
  for (const source of sources) found.push({ ...findSource(source, workingFolder), name: await nameOf(options, source) })
  const watchdog = startWatchdog({
    stuckMs: budgets.stuckMs,
    log: options.log,
    databaseUrl: options.databaseUrl,
    watched: found.flatMap(({ source, name, located }) =>
      located ? [{ source, name, version: located.version, url: pathToFileURL(`${located.folder}/`).href }] : [],
    ),
  })
  await db.write.updateTable('extension').set({ is_loaded: false, problem: null }).execute()
  const features: Feature[] = []
  for (const each of found) {
    const outcome = await prepare(each, { ...options, budgets, others: features })
    await store(options, outcome)
    if ('problem' in outcome) continue
    const { extension } = outcome
    const allModules = () => modulesOf([...options.features, ...features]).map(({ name }) => name)
    const guard = makeGuard({
      name: extension.name,
      log: options.log,
      clock: options.clock,
      onStop: (reason) =>
        stopExtension(db.write, { name: extension.name, reason, now: options.clock.now(), allModules: allModules() }),
    })
    register(extension)
    features.push(adaptExtension({ name: extension.name, guard, budgets, db: db.read }, extension, extension.personalData ?? []))
  }
  for (const { name, personal_data } of known)
    if (!features.some((feature) => feature.name === moduleOf(name)))
      features.push(personalFeature(name, personal_data as unknown as PersonalColumn[]))
  return { features, stop: watchdog.stop }
}

type Found = { source: string; name: string; located?: Located; problem?: string }

function findSource(source: string, workingFolder: string): Omit<Found, 'name'> {
  try {
    return { source, located: locate(source, workingFolder) }
  } catch (error) {
    return { source, problem: (error as Error).message }
  }
}

const labelOf = (source: string): string => {
  const text = source
    .toLowerCase()
    .replace(/^.*[/\\](?=.)/, '')
    .replaceAll(/[^a-z0-9_]/g, '_')
  return (/^[a-z][a-z0-9_]{1,29}$/.exec(text) ?? ['unnamed_extension'])[0]
}

/** Another version may have mended it. */
async function refuseStuck({ db }: LoadOptions, source: string, { version }: Located): Promise<void> {
  const found = await db.write
    .selectFrom('extension')
    .select('stuck_version')
    .where('source', '=', source)
    .where('stuck_version', 'is not', null)
    .executeTakeFirst()
  if (found?.stuck_version === version)
    throw new Error(`its code never ended and took the server with it. Another version than ${version} is tried again.`)
}

/** As it was called when it could be loaded, else like its folder. */
async function nameOf({ db }: LoadOptions, source: string): Promise<string> {
  const stored = await db.write.selectFrom('extension').select('name').where('source', '=', source).executeTakeFirst()
  return stored?.name ?? labelOf(source)
}

type Preparing = LoadOptions & { budgets: Budgets; others: readonly Feature[] }

/** Imports, checks and migrates. */
async function prepare({ source, name, located, problem }: Found, options: Preparing): Promise<Outcome> {
  if (!located) return { source, name, problem: problem! }
  const facts: { name: string; version?: string } = { name, version: located.version }
  try {
    await refuseStuck(options, source, located)
    const given = await importChecked(located, options.budgets.importMs)
    facts.version = given.version
    facts.name = given.name
    if (options.others.some(({ name }) => name === moduleOf(given.name))) throw new Error('another extension has the same name')
    await ensureRow(options, source, given.name)
    await migrateExtension(options.db.write, given)
    await storeClient(options.db.write, given, { language: options.language ?? 'en', now: options.clock.now() })
    return { source, extension: given }
  } catch (error) {
    return { source, ...facts, problem: (error as Error)?.message ?? String(error) }
  }
}

/** Its migrations refer to the row. */
export async function ensureRow({ db }: Pick<LoadOptions, 'db'>, source: string, name: string): Promise<void> {
  await db.write
    .insertInto('extension')
    .values({ name, source })
    .onConflict((same) => same.column('name').doUpdateSet({ source }))
    .execute()
}

async function store(options: LoadOptions, outcome: Outcome): Promise<void> {
  const { db, log, clock } = options
  if ('problem' in outcome) {
    const { source, name, version, problem } = outcome
    log.error({ extension: name, source, problem }, 'extension left out')
    await ensureRow(options, source, name)
    await db.write
      .updateTable('extension')
      .set({ problem: problem.slice(0, 1000), ...(version === undefined ? {} : { version }) })
      .where('name', '=', name)
      .execute()
    return
  }
  const { name, version, personalData = [] } = outcome.extension
  log.info({ extension: name, version }, 'extension loaded')
  await db.write
    .updateTable('extension')
    .set({
      version,
      is_loaded: true,
      problem: null,
      stuck_version: null,
      loaded_at: clock.now(),
      personal_data: JSON.stringify(personalData),
    })
    .where('name', '=', name)
    .execute()
}

/** What is known to the whole process: words and sign-up flows. */
export function register(extension: Extension): void {
  const { name, words, translations = {}, personalData = [], flows = [], notificationKinds = [] } = extension
  const module = `module.${moduleOf(name)}`
  /** Keys of Turnout for which it has a text, with its own keys. */
  const known: [key: string, own: string][] = [
    ...['title', 'text', 'who'].map((key): [string, string] => [`${module}.${key}`, key]),
    ...personalData.map(({ table, column, label }): [string, string] => [
      `privacy.section_${sectionOf(name, table, column)}`,
      label,
    ]),
    ...notificationKinds.flatMap(({ name: kind, label, help }): [string, string][] => [
      [`notification.${kindOf(name, kind)}.label`, label],
      [`notification.${kindOf(name, kind)}.help`, help],
    ]),
  ]
  const own = (given: Messages): Messages => ({
    ...Object.fromEntries(Object.entries(given).map(([key, message]) => [wordOf(name, key), message])),
    ...Object.fromEntries(known.flatMap(([key, label]) => (given[label] === undefined ? [] : [[key, given[label]]]))),
  })
  const rows = {
    en: { one: '{count} record', other: '{count} records' },
    de: { one: '{count} Eintrag', other: '{count} Einträge' },
  }
  const all = SOURCE_LANGUAGES.map((language) => [language, { ...own(words[language]), [`${module}.used`]: rows[language] }])
  const translated = Object.fromEntries(Object.entries(translations).map(([language, given]) => [language, own(given)]))
  replaceWords(moduleOf(name), Object.fromEntries(all) as FeatureWords, translated)
  addFlows(
    moduleOf(name),
    flows.map((flow) => ({ slug: flowOf(name, flow.name), hasRequestStage: flow.hasRequests, label: wordOf(name, flow.label) })),
  )
}
