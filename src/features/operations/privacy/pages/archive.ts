import { Readable } from 'node:stream'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { RequestContext } from '#platform/auth/context.ts'
import type { PersonalTable } from '#platform/db/personal-table.ts'
import type { FileStore } from '#platform/files/store.ts'
import { findOwnFiles, readRows } from '../queries/export.ts'
import { fileNamesOf } from '../rules/file-names.ts'
import { documentEnd, documentStart, filesView, sectionView } from '../views/document.ts'

type ArchiveData = {
  context: RequestContext
  files: FileStore
  tables: readonly PersonalTable[]
  person: { userId: number; name: string }
  siteName: string
}

/** Rows of a section in the readable document; `data.json` has all. */
const MAX_SHOWN_ROWS = 1000

/** A ZIP archive of everything that is stored about a person. It is made while it is sent, so it needs memory for one page of rows. */
export const makeArchive = (data: ArchiveData): Readable => Readable.from(readArchive(data))

async function* readArchive(data: ArchiveData): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(Buffer.from(chunk))
  })
  const names = fileNamesOf(await findOwnFiles(data.context.db, data.person.userId))
  const entries: [name: string, isPacked: boolean, content: AsyncIterable<Uint8Array>][] = [
    ['data.json', false, encode(readJson(data, names))],
    ['index.html', false, encode(readDocument(data, names))],
  ]
  for (const { id, path } of names) {
    const content = await data.files.get(id)
    if (content) entries.push([path, true, content])
  }
  for (const [name, isPacked, content] of entries) {
    const entry = isPacked ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
    entry.mtime = data.context.now
    zip.add(entry)
    for await (const chunk of content) {
      entry.push(chunk)
      yield* chunks.splice(0)
    }
    entry.push(new Uint8Array(), true)
    yield* chunks.splice(0)
  }
  zip.end()
  yield* chunks.splice(0)
}

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}

type NamedFile = ReturnType<typeof fileNamesOf>[number]

async function* readJson(
  { context, tables, person, siteName }: ArchiveData,
  files: readonly NamedFile[],
): AsyncGenerator<string> {
  const head = {
    exported_at: context.now.toISOString(),
    instance: context.site.url,
    organization: siteName,
    person_id: person.userId,
  }
  yield `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n  "sections": {`
  let separator = '\n'
  for (const table of tables) {
    const { section } = table.export
    if (section === undefined) continue
    yield `${separator}    ${JSON.stringify(section)}: [`
    separator = ',\n'
    let comma = '\n'
    for await (const rows of readRows(context.db, table, person.userId)) {
      yield `${comma}${rows.map((row) => `      ${JSON.stringify(row)}`).join(',\n')}`
      comma = ',\n'
    }
    yield comma === '\n' ? ']' : '\n    ]'
  }
  yield `\n  },\n  "files": ${JSON.stringify(files.map(({ path, name, bytes }) => ({ path, name, bytes })))},`
  yield `\n  "withheld": ${JSON.stringify(withheldIn(tables))}\n}\n`
}

/** Columns whose values the export leaves out, with the reason. */
const withheldIn = (tables: readonly PersonalTable[]) =>
  Object.fromEntries(
    tables.flatMap(({ export: given }) => (given.section !== undefined && given.without ? [[given.section, given.without]] : [])),
  )

async function* readDocument(data: ArchiveData, files: readonly NamedFile[]): AsyncGenerator<string> {
  const { context, tables, person, siteName } = data
  const { words } = context
  yield documentStart({ words, now: context.now, name: person.name, siteName })
  for (const table of tables) {
    const { section } = table.export
    if (section === undefined) continue
    const shown: Record<string, unknown>[] = []
    let count = 0
    for await (const rows of readRows(context.db, table, person.userId)) {
      count += rows.length
      shown.push(...rows.slice(0, MAX_SHOWN_ROWS - shown.length))
    }
    if (count) yield sectionView({ words, section, rows: shown, count })
  }
  yield filesView(words, files)
  yield documentEnd(words)
}
