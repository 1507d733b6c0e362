import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Which test files there are, how long they take and what they need. Paths are relative to the root of the repository. */

const ALL_TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts']

/**
 * About how long files take, in seconds of processor time with browser and database. The longest start first, so that the run does not
 * end with one of them alone, and groups of files take about the same time. The first match counts.
 */
const SECONDS: [file: RegExp, seconds: number][] = [
  [/journeys\/every-page/, 120],
  [/process\/nodes/, 80],
  [/process\/importing/, 60],
  [/process\/(crash|serve|commands|extensions)|journeys\/(account|planner-event)\./, 35],
  [/process\/(try-out|backing-up)|journeys\/(organisation|dispatch|signup)\.|oauth\/(journey|races)/, 35],
  [/contract\/(access|markup|hostile-values)|fuzz\/|participations\/commands\/race|backup\/commands\/backup/, 20],
  [/journeys\/|journey\.test\.ts$|support\/accessibility/, 15],
  [/process\/|client\/package|db\/embedded\/|contract\/visibility|(waiting-list|board|swap)-race/, 10],
  [
    /people-import\/large|people\/many-people|change-feed\/(agreement|staffing|order|catch-up)|webhooks\/(dispatcher|delivery)/,
    10,
  ],
  [/import-ephios\/(import|import-edge-cases|converted-rows)\.|ephios\/bulk|backup\/(jobs|commands\/encryption)/, 10],
  [/contract\/modules|jobs\/outage|db\/migrate\.|messages\/commands\.|files\/pictures|access\/assistants\/assistants/, 10],
  [/federation\/hostile|privacy\/(access|erasure|export)\.|auto-fill\/agreement|participations\/commands\/model\./, 10],
  [/contract\/|race\.test\.ts$|^test\/changed/, 4],
  // Together in few processes, because each of these loads the checker of markup.
  [/\/pages(\/|\.test\.ts$)/, 3],
  [/./, 1],
]

/** Browsers leave little of the processor to others, so these files are spread evenly. */
export const NEEDS_BROWSER = /^test\/journeys\/|journey\.test\.ts$|^test\/support\/(accessibility|browser)/

/** Files that take long, start processes, or need another set-up than the rest. */
export const NEEDS_OWN_PROCESS =
  /^test\/(process|fuzz|reads|architecture)\/|^test\/(journeys\/every-page|contract\/access|client\/package)|^src\/platform\/db\/embedded\//

/** What starts servers, databases and package managers as processes of their own. */
const STARTS_PROCESSES = /^test\/(process|client)\/|^test\/mutation-|^src\/platform\/db\/embedded\//

/** Tests of the pages of one feature. Those in `test/contract/` read the pages of all features. */
const READS_PAGES = ['#test/support/markup.ts', '#test/support/http-browser.ts', '#test/support/visit.ts']
const IS_CONTRACT = /^test\/contract\//

/** Files whose tests have a usual and a full size; how many layouts a page is checked in is such a size. */
const SIZES = ['#test/support/sizes.ts', 'pageProblems(page)']

/** A folder stands for the tests in it. */
export const findTests = (patterns: readonly string[] = ALL_TESTS): string[] =>
  globSync(patterns.map((pattern) => (isFolder(pattern) ? join(pattern, '**/*.test.ts') : pattern)))

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

export const secondsOf = (file: string): number => SECONDS.find(([pattern]) => pattern.test(file))![1]

export const hasSizes = (file: string): boolean => mentions(file, SIZES)

/**
 * For `npm run test:quick`: neither browsers nor processes, no pages of single features, and nothing that takes as long as many other
 * files.
 */
export const isQuick = (file: string): boolean =>
  !NEEDS_BROWSER.test(file) && !STARTS_PROCESSES.test(file) && !readsPages(file) && secondsOf(file) < 10

const readsPages = (file: string): boolean =>
  !IS_CONTRACT.test(file) && (/\/pages(\/|\.test)/.test(file) || mentions(file, READS_PAGES))

function mentions(file: string, texts: readonly string[]): boolean {
  const source = readFileSync(file, 'utf8')
  return texts.some((text) => source.includes(text))
}
