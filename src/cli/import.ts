import { writeFileSync } from 'node:fs'
import { requireExclusiveAccess } from '#features/moving/commands/exclusive-access.ts'
import { importEphios, makeImportSecrets } from '#features/moving/commands/import.ts'
import { TransferError } from '#features/moving/commands/transfer-error.ts'
import type { Note } from '#features/moving/rules/import-context.ts'
import { findUnbalancedTables, type ImportReport } from '#features/moving/rules/report.ts'
import { systemClock } from '#platform/clock.ts'
import { openSourceDatabase } from '#platform/db/source-database.ts'
import { type Command, UsageError } from './command.ts'
import { keyringOf, withDatabase } from './database.ts'
import { formatTable, type Terminal } from './terminal.ts'

const MAX_SHOWN_NOTES = 20

export const importCommand: Command = {
  options: {
    'dry-run': { type: 'boolean', help: 'Report what would be imported without changing anything' },
    language: { type: 'string', hint: 'de|en', help: 'Language of the instance (default: de)' },
    report: { type: 'string', hint: 'FILE', help: 'Write all repaired and skipped rows to a file' },
  },
  operands: [
    { name: 'system', help: 'ephios' },
    { name: 'source', help: 'postgresql://… URL of its database, or path of the SQLite file' },
  ],
  run: async ({ config, values, operands: [system, location], terminal }) => {
    if (system !== 'ephios') throw new UsageError(`cannot import from ${system}; only ephios is supported`)
    const language = values.language ?? 'de'
    if (language !== 'de' && language !== 'en') throw new UsageError('--language must be de or en')
    const keyring = keyringOf(config)
    const source = await openSourceDatabase(location!)
    try {
      return await withDatabase(config, async ({ db }) => {
        await requireExclusiveAccess(db)
        const report = await importEphios(db.write, {
          source,
          secrets: makeImportSecrets(keyring),
          now: systemClock.now(),
          language,
          isDryRun: Boolean(values['dry-run']),
          progress: terminal.progress('importing'),
        })
        printReport(report, terminal)
        if (values.report)
          writeFileSync(String(values.report), report.notes.map((note) => `${formatNote(note)}\n`).join(''), { mode: 0o600 })
        const unbalanced = findUnbalancedTables(report).map(({ table }) => table)
        if (unbalanced.length) throw new TransferError(`Some rows are unaccounted for: ${unbalanced.join(', ')}`)
        terminal.print(
          values['dry-run']
            ? 'Dry run: nothing was changed.'
            : 'Import complete. Users can sign in with their current passwords.',
        )
        return 0
      })
    } finally {
      await source.close()
    }
  },
}

const formatNote = ({ table, id, outcome, reason }: Note): string => `${outcome}: ${table} ${id}: ${reason}`

function printReport({ tables, notes, unknownColumns }: ImportReport, terminal: Terminal): void {
  const rows = tables.map(({ table, found, imported, kept, skipped, ignored }) =>
    [table, found, imported, kept, skipped, ignored].map(String),
  )
  const lines = formatTable([['table', 'rows', 'imported', 'kept for later', 'skipped', 'not needed'], ...rows])
  for (const line of lines) terminal.print(line)
  if (unknownColumns.length) terminal.print(`Unknown columns, whose rows are also kept for later: ${unknownColumns.join(', ')}`)
  for (const note of notes.slice(0, MAX_SHOWN_NOTES)) terminal.print(formatNote(note))
  if (notes.length > MAX_SHOWN_NOTES)
    terminal.print(`… and ${notes.length - MAX_SHOWN_NOTES} more; use --report FILE to get all of them`)
}
