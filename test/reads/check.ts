import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CallSite, findCallSites } from './call-sites.ts'
import { type Nullability, readNullability } from './nullability.ts'
import { type Recording, readRecordings } from './recording.ts'
import { acceptsNull, addType, compileChecks, hasAllProperties, hasColumn, type RowCheck } from './row-checks.ts'
import { valueTypeOf } from './value-types.ts'

export type ReadsOptions = {
  root: string
  /** Where the processes of the test run wrote their recordings. */
  recordings: string
  /** A copy of the template database on the server on which the tests ran. */
  databaseUrl: string
  /** Whether all tests ran, so that each read must have been executed. */
  isComplete: boolean
}

export type ReadsReport = { checked: number; mistakes: string[] }

/** Compares the row types of all `sql<Row>` templates with the results that tests received from them. */
export async function checkReads({ root, recordings, databaseUrl, isComplete }: ReadsOptions): Promise<ReadsReport> {
  const recording = readRecordings(recordings)
  const sites = globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => findCallSites(path, readFileSync(join(root, path), 'utf8')))
  const keyOf = ({ path, templateLine, templateColumn }: CallSite) =>
    `${pathToFileURL(join(root, path)).href}:${templateLine}:${templateColumn}`
  const canBeNull = await readNullability(databaseUrl, recording)
  const isExecuted = (site: CallSite) => recording.reads.has(keyOf(site))
  const executed = sites.filter((site) => isExecuted(site) && site.uncheckedReason === undefined)
  const checks = executed.flatMap((site) => checksOf(site, keyOf(site), recording, canBeNull))
  const mistakes = compileChecks(root, checks).map(({ place, text }) => `${place}: ${text}`)
  if (isComplete) {
    const unexecuted = sites.filter(
      (site) => !isExecuted(site) && !recording.fragments.has(keyOf(site)) && site.uncheckedReason === undefined,
    )
    mistakes.push(...unexecuted.map(({ path, line }) => `${path}:${line}: no test executes this read`))
  }
  return { checked: executed.length, mistakes: [...new Set(mistakes)].sort() }
}

function checksOf(site: CallSite, key: string, { reads }: Recording, canBeNull: Nullability): RowCheck[] {
  const checks = [...reads.get(key)!.values()].flatMap(({ columns, texts, nulls }) => {
    const nullable = new Map<string, string>()
    for (const text of texts)
      for (const name of canBeNull(text, columns)) if (!site.neverNull.includes(name)) nullable.set(name, 'by its origin')
    for (const name of nulls) nullable.set(name, 'a test received null')
    return [
      ...columns.map(({ name }) => hasColumn(site, name)),
      ...columns.map(({ name, typeId }) => addType(site, name, valueTypeOf(typeId))),
      ...[...nullable].map(([name, reason]) => acceptsNull(site, name, reason)),
      hasAllProperties(
        site,
        columns.map(({ name }) => name),
      ),
    ]
  })
  return [...new Map(checks.map((check) => [check.type, check])).values()]
}
