import { globSync } from 'node:fs'
import { findImportingTests } from '../find-tests.ts'
import { findMutatedFiles } from './mutated-modules.ts'

/** `least`: the score in percent that the group must reach. `testsOf`: tests near one of its files. */
export type DatabaseGroup = { least: number; files: string[]; testsOf: (file: string) => readonly string[] }

const LEAST = 85
const LEAST_OF_GUARDS = 90
const WRITE_API = /^src\/platform\/http\/(?:write|batch|idempotency|preconditions)\.ts$/
const REPLICAS = /^src\/platform\/db\/(?:replicas|state|watch|write-health|host-chooser)\.ts$/
const GUARDS = new Set(['waiting-list', 'exchanges', 'privacy'])

/** They drive a browser, start other processes, or take minutes by themselves. */
const LEFT_OUT =
  /journey\.test\.ts$|^src\/platform\/db\/embedded\/|many-people|people-import\/large|contract\/(?:access|ages|cursor|guide)\.|participations\/commands\/race/
const all = findMutatedFiles()
const allTests = globSync(['src/**/*.test.ts', 'test/contract/*.test.ts']).sort()

const findTests = (files: readonly string[], patterns: readonly string[]): string[] => {
  const near = new Set([...globSync([...patterns]), ...findImportingTests(files)])
  return allTests.filter((test) => near.has(test) && !LEFT_OUT.test(test))
}

function makeGroup(least: number, isMember: (file: string) => boolean, patterns: readonly string[]): DatabaseGroup {
  const files = all.filter(isMember)
  const tests = findTests(files, patterns)
  return { least, files, testsOf: () => tests }
}

const folderOf = (file: string): string => file.split('/')[2]!
const featureOf = (file: string): string => file.split('/')[3]!
const ofFeatures = all.filter((file) => file.startsWith('src/features/'))
const features = [...new Set(ofFeatures.map(featureOf))]
const folders = [...new Set(ofFeatures.map(folderOf))]
/** Tests of other places that belong to a feature. */
const CONTRACTS: Record<string, string[]> = {
  events: [
    'visibility',
    'records',
    'filters',
    'time-filters',
    'ordering',
    'event-pages',
    'search',
    'modified-since',
    'etags',
    'cursor',
  ],
  participations: ['visibility', 'participants', 'privacy', 'records', 'statistics'],
  users: ['people', 'privacy', 'credentials'],
  privacy: ['privacy'],
  tokens: ['credentials', 'secrets'],
  browse: ['event-pages'],
}
const contract = (names: readonly string[]): string[] => names.map((name) => `test/contract/${name}.test.ts`)
/**
 * Names, statuses and texts of endpoints are compared with the stored document of the API and with answers to OPTIONS, times of tasks with
 * a table.
 */
const DOCUMENT = contract(['document', 'openapi', 'schema', 'methods', 'schedules'])

function makeFeature(feature: string): DatabaseGroup {
  return makeGroup(GUARDS.has(feature) ? LEAST_OF_GUARDS : LEAST, (file) => featureOf(file) === feature, [
    `src/features/*/${feature}/**/*.test.ts`,
    ...contract(CONTRACTS[feature] ?? []),
    ...DOCUMENT,
  ])
}

/** All features of a folder, each with its own tests. */
function makeFolder(folder: string): DatabaseGroup {
  const files = ofFeatures.filter((file) => folderOf(file) === folder)
  const made = new Map([...new Set(files.map(featureOf))].map((feature) => [feature, makeFeature(feature)]))
  return { least: LEAST, files, testsOf: (file) => made.get(featureOf(file))!.testsOf(file) }
}

/** Parts of the platform, all conditions of access, what must not go wrong, and each folder of features. */
export const DATABASE_GROUPS: Record<string, () => DatabaseGroup> = {
  'write-api': () =>
    makeGroup(LEAST_OF_GUARDS, (file) => WRITE_API.test(file), [
      'src/platform/http/*.test.ts',
      'src/features/*/{planning,participations,disposition,qualifications,webhooks}/api/**/*.test.ts',
      ...DOCUMENT,
    ]),
  replicas: () =>
    makeGroup(LEAST_OF_GUARDS, (file) => REPLICAS.test(file), ['src/platform/db/*.test.ts', ...contract(['freshness'])]),
  'access-rules': () =>
    makeGroup(LEAST_OF_GUARDS, (file) => file.endsWith('/access.ts'), [
      'src/features/*/*/access*.test.ts',
      'src/features/staffing/participations/commands/visitors.test.ts',
      ...contract(['visibility', 'privacy', 'participants', 'people', 'event-pages']),
    ]),
  http: () =>
    makeGroup(LEAST, (file) => file.startsWith('src/platform/http/') && !WRITE_API.test(file), [
      'src/platform/http/*.test.ts',
      'test/contract/*.test.ts',
    ]),
  db: () =>
    makeGroup(LEAST, (file) => file.startsWith('src/platform/db/') && !REPLICAS.test(file), ['src/platform/db/*.test.ts']),
  jobs: () =>
    makeGroup(LEAST, (file) => /^src\/platform\/(?:jobs|journal)\//.test(file), ['src/platform/{jobs,journal}/*.test.ts']),
  ...Object.fromEntries([...GUARDS].map((feature) => [feature, () => makeFeature(feature)])),
  ...Object.fromEntries(folders.map((folder) => [`folder:${folder}`, () => makeFolder(folder)])),
}

/** Single features can be chosen as well. */
export const FEATURE_GROUPS: Record<string, () => DatabaseGroup> = Object.fromEntries(
  features.map((feature) => [feature, () => makeFeature(feature)]),
)
