import { writeFileSync } from 'node:fs'
import { requireAlone } from '#features/moving/commands/alone.ts'
import { moveIn, secretsWith } from '#features/moving/commands/moving-in.ts'
import { ArchiveRefused } from '#features/moving/commands/refusals.ts'
import type { Note } from '#features/moving/rules/book.ts'
import { disagreements, type MovingReport } from '#features/moving/rules/report.ts'
import { systemClock } from '#platform/clock.ts'
import { openSourceDatabase } from '#platform/db/source-database.ts'
import { type Command, UsageError } from './command.ts'
import { keyringOf, withDatabase } from './instance.ts'
import { type Terminal, tableOf } from './terminal.ts'

const SHOWN_NOTES = 20

export const importCommand: Command = {
  name: 'import',
  summary: 'Move in from ephios: numbers, passwords, tokens and links stay as they are',
  options: {
    'dry-run': { type: 'boolean', help: 'Tell what would come and what would not, and change nothing' },
    language: { type: 'string', hint: 'de|en', help: 'Language of the instance, de unless said otherwise' },
    report: { type: 'string', hint: 'FILE', help: 'Write everything that was repaired or left out into a file' },
  },
  operands: [
    { name: 'system', help: 'ephios' },
    { name: 'place', help: 'postgresql://… of its database, or the SQLite file' },
  ],
  run: async ({ config, values, operands: [system, place], terminal }) => {
    if (system !== 'ephios') throw new UsageError(`nothing is known about moving in from ${system}; ephios is`)
    const language = values.language ?? 'de'
    if (language !== 'de' && language !== 'en') throw new UsageError('--language must be de or en')
    const keyring = keyringOf(config)
    const source = await openSourceDatabase(place!)
    try {
      return await withDatabase(config, async ({ db }) => {
        await requireAlone(db)
        const report = await moveIn(db.write, {
          source,
          secrets: secretsWith(keyring),
          now: systemClock.now(),
          language,
          isDryRun: Boolean(values['dry-run']),
          progress: terminal.progress('moving in'),
        })
        print(report, terminal)
        if (values.report)
          writeFileSync(String(values.report), report.notes.map((note) => `${lineOf(note)}\n`).join(''), { mode: 0o600 })
        const odd = disagreements(report)
        if (odd.length) throw new ArchiveRefused(`Rows came in and did not come out: ${odd.map(({ table }) => table).join(', ')}`)
        terminal.print(
          values['dry-run'] ? 'This was a rehearsal: nothing was changed.' : 'Everything is there. People sign in as before.',
        )
        return 0
      })
    } finally {
      await source.close()
    }
  },
}

const lineOf = ({ table, id, what, why }: Note): string => `${what}: ${table} ${id}: ${why}`

function print({ tables, notes, strange }: MovingReport, terminal: Terminal): void {
  const rows = tables.map(({ table, found, taken, left, kept, dropped }) =>
    [table, found, taken, kept, left, dropped].map(String),
  )
  const lines = tableOf([['table', 'rows', 'moved in', 'kept for later', 'left out', 'not needed'], ...rows])
  for (const line of lines) terminal.print(line)
  if (strange.length) terminal.print(`Not known here, so their rows are also kept whole: ${strange.join(', ')}`)
  for (const note of notes.slice(0, SHOWN_NOTES)) terminal.print(lineOf(note))
  if (notes.length > SHOWN_NOTES)
    terminal.print(`… and ${notes.length - SHOWN_NOTES} more; --report FILE writes all of them down`)
}
