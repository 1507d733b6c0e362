import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A column of a result as PostgreSQL describes it; `table` and `position` name the column of a table that it comes from. */
export type ResultColumn = { name: string; typeId: number; table: number; position: number }

/** One shape of the results of a statement. */
export type RecordedResult = {
  columns: ResultColumn[]
  /** Texts that gave this result. */
  texts: string[]
  /** Columns in which a test saw null. */
  nulls: string[]
  /** True if it came from the shared test server, where table ids are the same in all databases. */
  isShared: boolean
}

/** Call sites are written `file URL:line:column`, at the opening backtick of the template. */
export type Recording = {
  /** Call sites that were put into another statement. */
  fragments: Set<string>
  /** Executed call sites; the inner keys are the shapes of the results. */
  reads: Map<string, Map<string, RecordedResult>>
}

export function addResult(recording: Recording, site: string, result: RecordedResult): void {
  const key = JSON.stringify([result.isShared, result.columns])
  const results = recording.reads.get(site) ?? new Map<string, RecordedResult>()
  recording.reads.set(site, results)
  const known = results.get(key)
  if (!known) {
    results.set(key, result)
    return
  }
  for (const text of result.texts) if (!known.texts.includes(text)) known.texts.push(text)
  for (const name of result.nulls) if (!known.nulls.includes(name)) known.nulls.push(name)
}

/** What all processes of a test run wrote into the folder. */
export function readRecordings(folder: string): Recording {
  const all: Recording = { fragments: new Set(), reads: new Map() }
  for (const file of readdirSync(folder)) {
    const { fragments, reads } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      fragments: string[]
      reads: [site: string, results: RecordedResult[]][]
    }
    for (const site of fragments) all.fragments.add(site)
    for (const [site, results] of reads) for (const result of results) addResult(all, site, result)
  }
  return all
}
