import { writeFileSync } from 'node:fs'
import { requireExclusiveAccess } from '#features/operations/backup/commands/exclusive-access.ts'
import { TransferError } from '#features/operations/backup/commands/transfer-error.ts'
import { systemClock } from '#platform/clock.ts'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import { keyFile, keyringOf } from '#platform/command-line/data-directory.ts'
import { interruptible } from '#platform/command-line/signals.ts'
import { formatTable } from '#platform/command-line/terminal.ts'
import { openSourceDatabase } from '#platform/db/source-database.ts'
import { findModulesOn } from '#platform/features/modules.ts'
import { importEphios, makeImportSecrets } from '../commands/import.ts'
import { requireFolder } from '../commands/import-files.ts'
import type { Note } from '../rules/import-context.ts'
import { findUnbalancedTables, type ImportReport } from '../rules/report.ts'
import { summarizeImport } from '../rules/summary.ts'
import { importMedia } from './import-files.ts'

const MAX_SHOWN_NOTES = 20

export const importCommand: Command = {
  options: {
    'dry-run': { type: 'boolean', help: 'Report what would be imported without changing anything' },
    language: { type: 'string', hint: 'de|en', help: 'Language of the instance (default: de)' },
    media: { type: 'string', hint: 'DIR', help: 'Also import uploaded files from the media folder of ephios' },
    report: { type: 'string', hint: 'FILE', help: 'Write the summary, and all repaired and left out rows, to a file' },
  },
  operands: [
    { name: 'system', help: 'ephios' },
    { name: 'source', help: 'postgresql://… URL of its database, or path of the SQLite file' },
  ],
  run: async ({ config, values, operands: [system, location], terminal, withDatabase, asOperator }) => {
    if (system !== 'ephios') throw new UsageError(`cannot import from ${system}; only ephios is supported`)
    const language = values.language ?? 'de'
    if (language !== 'de' && language !== 'en') throw new UsageError('--language must be de or en')
    if (!config.secretKey)
      terminal.print(
        terminal.bold(
          `Attention: SECRET_KEY is not set. Secrets are sealed with the key in ${keyFile(config)}: keep this file, or stop now and set SECRET_KEY to the key that the server will use. With another key they cannot be read any more.`,
        ),
      )
    const media = values.media === undefined ? undefined : await requireFolder(String(values.media))
    const keyring = keyringOf(config)
    const source = await openSourceDatabase(location!)
    try {
      return await withDatabase(config, async ({ db }) => {
        await requireExclusiveAccess(db)
        const report = await interruptible(
          'The import was interrupted. Nothing was changed; it can be started again.',
          (onCommit) =>
            importEphios(db.write, {
              source,
              secrets: makeImportSecrets(keyring),
              now: systemClock.now(),
              language,
              modules: findModulesOn(asOperator(config, db, keyring).site),
              isDryRun: Boolean(values['dry-run']),
              progress: terminal.progress('importing'),
              onCommit,
            }),
        )
        const isDryRun = Boolean(values['dry-run'])
        const summary = summarizeImport(report, { hasMedia: media !== undefined })
        for (const warning of warningsOf(summary)) terminal.print(terminal.bold(warning))
        const lines = [...describeTables(report), ...describeNotes(report.notes, MAX_SHOWN_NOTES), ...describeSummary(summary)]
        for (const line of lines) terminal.print(line)
        if (values.report) {
          const all = [
            ...warningsOf(summary),
            ...describeTables(report),
            ...describeSummary(summary),
            ...describeNotes(report.notes),
          ]
          writeFileSync(String(values.report), `${[...all, conclusionOf(summary, isDryRun)].join('\n')}\n`, { mode: 0o600 })
        }
        const unbalanced = findUnbalancedTables(report).map(({ table }) => table)
        if (unbalanced.length) throw new TransferError(`Some rows are unaccounted for: ${unbalanced.join(', ')}`)
        if (media !== undefined && !isDryRun) await importMedia({ config, db, folder: media, terminal })
        terminal.print(conclusionOf(summary, isDryRun))
        return 0
      })
    } finally {
      await source.close()
    }
  },
}

const OUTCOMES = { repaired: 'repaired', skipped: 'left out' }
const formatNote = ({ table, id, outcome, reason }: Note): string => `${OUTCOMES[outcome]}: ${table} ${id}: ${reason}`

type Summary = ReturnType<typeof summarizeImport>

const warningsOf = ({ warnings }: Summary): string[] => warnings.map((warning) => `Attention: ${warning}`)

function describeTables({ tables, unknownColumns }: ImportReport): string[] {
  const rows = tables.map(({ table, found, imported, kept, skipped, ignored }) =>
    [table, found, imported, kept, skipped, ignored].map(String),
  )
  return [
    ...formatTable([['table', 'rows', 'imported', 'kept aside', 'left out', 'not needed'], ...rows]),
    ...(unknownColumns.length
      ? [`Columns that Turnout does not know; their rows are also kept aside: ${unknownColumns.join(', ')}`]
      : []),
  ]
}

function describeNotes(notes: readonly Note[], limit = notes.length): string[] {
  const hidden = notes.length - Math.min(notes.length, limit)
  return [
    ...notes.slice(0, limit).map(formatNote),
    ...(hidden ? [`… and ${hidden} more; use --report FILE to get all of them`] : []),
  ]
}

const listOf = (title: string, lines: readonly string[]): string[] =>
  lines.length ? [title, ...lines.map((line) => `- ${line}`)] : []

const describeSummary = ({ omitted, result, open }: Summary): string[] => [
  ...listOf('Not needed:', omitted),
  ...result,
  ...listOf('Please note:', open),
]

function conclusionOf({ isComplete }: Summary, isDryRun: boolean): string {
  if (isDryRun) return 'Dry run: nothing was changed.'
  return isComplete ? 'Import complete.' : 'Import finished. Please go through the points above.'
}
