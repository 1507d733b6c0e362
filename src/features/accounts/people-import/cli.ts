import { readFile, writeFile } from 'node:fs/promises'
import type { PeopleFilter } from '#features/accounts/users/queries/people.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Command, UsageError, type Values } from '#platform/command-line/command.ts'
import { keyringOf, requireDatabase } from '#platform/command-line/data-directory.ts'
import { interruptible } from '#platform/command-line/signals.ts'
import { formatTable, type Terminal } from '#platform/command-line/terminal.ts'
import type { DateOrder } from '#platform/i18n/typed-dates.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { OperatorError } from '#platform/operator-error.ts'
import { foldName } from '#platform/spreadsheet/fold-name.ts'
import { readSpreadsheet } from '#platform/spreadsheet/read.ts'
import { type Spreadsheet, SpreadsheetError } from '#platform/spreadsheet/sheet.ts'
import { applyImport, queueImport } from './commands/apply.ts'
import { changeSettings, checkImport } from './commands/check.ts'
import { discardImport, startImport } from './commands/start.ts'
import { exportCsv, exportXlsx } from './queries/export.ts'
import { findFirstRows, findShownRows, getImport, type PeopleImport } from './queries/imports.ts'
import { type ColumnUse, checkMapping, columnName, FIELDS } from './rules/columns.ts'
import { headingsOf, type ImportSettings } from './rules/import.ts'
import { VERDICTS } from './rules/judgement.ts'

export const people: Command = {
  operands: [
    { name: 'import|export', help: 'What to do' },
    {
      name: 'file',
      help: 'import: the list (CSV or .xlsx). export: where to write it (default: standard output)',
      optional: true,
    },
  ],
  options: {
    apply: { type: 'boolean', help: 'import: change people; without it, only say what would happen' },
    'good-rows-only': { type: 'boolean', help: 'import: leave out rows with conflicts and errors instead of refusing the list' },
    map: {
      type: 'string',
      hint: 'HEADING=FIELD,…',
      help: `import: columns by heading or letter; fields: ${FIELDS.join(', ')}, none`,
    },
    'date-order': {
      type: 'string',
      hint: 'dmy|mdy',
      help: 'import: what is first in dates such as 03/04/2001, if the list does not prove it',
    },
    unknown: {
      type: 'string',
      hint: 'create|skip',
      help: 'import: groups and qualifications that do not exist here (default: errors)',
    },
    sheet: { type: 'string', hint: 'NAME', help: 'import: sheet of an Excel file (default: the first)' },
    format: { type: 'string', hint: 'csv|xlsx', help: 'export: format (default: csv)' },
  },
  run: async ({ config, values, operands: [action = '', file], terminal, withDatabase, asOperator }) => {
    const perform = ACTIONS[action]
    if (!perform) throw new UsageError(`expected import or export, not ${action}`)
    requireDatabase(config)
    return withDatabase(config, async ({ db, config: effective }) => {
      const context = asOperator(effective, db, keyringOf(effective))
      const site = { ...context.site, defaultLanguage: effective.defaultLanguage }
      return perform({ context: { ...context, site }, values, file, terminal })
    })
  },
}

type Job = { context: CommandContext; values: Values; file: string | undefined; terminal: Terminal }

const ACTIONS: Record<string, (job: Job) => Promise<number>> = { import: importPeople, export: exportPeople }

async function exportPeople({ context, values, file }: Job): Promise<number> {
  const format = values.format ?? 'csv'
  if (format !== 'csv' && format !== 'xlsx') throw new UsageError('--format must be csv or xlsx')
  const words = wordsFor(context.site.defaultLanguage ?? 'en', context.site.timeZone)
  const request = { ...context, words }
  const everyone: PeopleFilter = { terms: [], state: 'all' }
  const parts = format === 'xlsx' ? [await exportXlsx(request, everyone)] : exportCsv(request, everyone)
  if (file !== undefined) await writeFile(file, parts, { mode: 0o600 })
  else for await (const part of parts) process.stdout.write(part)
  return 0
}

async function readList(file: string): Promise<Spreadsheet> {
  try {
    return await readSpreadsheet(await readFile(file))
  } catch (error) {
    if (error instanceof SpreadsheetError) throw new OperatorError(`${file} cannot be read: ${error.fault.replaceAll('_', ' ')}`)
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

const INTERRUPTED =
  'The import was interrupted. No person was changed; the list can be deleted at /manage/people/import/, and the command started again.'

async function importPeople({ context, values, file, terminal }: Job): Promise<number> {
  if (file === undefined) throw new UsageError('people import needs a file')
  const id = await startImport(context, { fileName: file.split('/').at(-1) || file, spreadsheet: await readList(file) })
  let isKept = false
  try {
    await chooseSettings(context, id, values)
    const checked = await requireList(context, id)
    await report(context, checked)
    if (!checked.summary) return 1
    const { counts } = checked.summary
    const bad = counts.conflict + counts.error
    if (!values.apply) {
      terminal.print(
        bad ? 'Nothing was changed. Some rows have conflicts or errors.' : 'Nothing was changed. --apply imports the list.',
      )
      return bad ? 1 : 0
    }
    await queueImport(context, id, { goodRowsOnly: Boolean(values['good-rows-only']), sendsInvitations: false, addsJob: false })
    const onProgress = terminal.progress('importing people')
    await interruptible(INTERRUPTED, (onCommit) => applyImport(context, id, { onProgress, onCommit }))
    const applied = await requireList(context, id)
    isKept = applied.state === 'applied'
    if (!isKept && applied.refusal !== 'nothing') {
      terminal.print('Nothing was changed, because some rows have conflicts or errors. --good-rows-only leaves them out.')
      return 1
    }
    terminal.print(isKept ? 'Imported. It can be undone for a day at /manage/people/import/.' : 'Everything is the same already.')
    return 0
  } finally {
    if (!isKept) await discardImport(context, id)
  }
}

async function requireList(context: CommandContext, id: number): Promise<PeopleImport> {
  const list = await getImport(context.db, id)
  if (!list) throw new OperatorError('the list was deleted meanwhile')
  return list
}

async function chooseSettings(context: CommandContext, id: number, values: Values): Promise<void> {
  const list = await requireList(context, id)
  const sheet = values.sheet === undefined ? list.settings.sheet : list.sheets.findIndex(({ name }) => name === values.sheet)
  if (sheet === -1)
    throw new UsageError(`there is no sheet ${values.sheet}; there are: ${list.sheets.map(({ name }) => name).join(', ')}`)
  if (sheet === list.settings.sheet) await checkImport(context, id)
  else await changeSettings(context, id, { ...list.settings, sheet })
  const read = await requireList(context, id)
  const first = await findFirstRows(context.db, id, sheet, 1000)
  const headings = headingsOf(first, read.settings.headingRow)
  const uses = values.map === undefined ? read.settings.uses : mapColumns(read.settings, headings, String(values.map))
  await changeSettings(context, id, { ...read.settings, uses, orders: ordersOf(values, uses) })
  if (values.unknown === undefined) return
  const choice = values.unknown
  if (choice !== 'create' && choice !== 'skip') throw new UsageError('--unknown must be create or skip')
  const { settings, summary } = await requireList(context, id)
  const choices = (kind: 'group' | 'qualification') =>
    Object.fromEntries((summary?.unknown ?? []).flatMap((each) => (each.kind === kind ? [[each.key, choice] as const] : [])))
  await changeSettings(context, id, {
    ...settings,
    groupChoices: choices('group'),
    qualificationChoices: choices('qualification'),
  })
}

function ordersOf(values: Values, uses: readonly ColumnUse[]): Record<number, DateOrder> {
  const order = values['date-order']
  if (order === undefined) return {}
  if (order !== 'dmy' && order !== 'mdy') throw new UsageError('--date-order must be dmy or mdy')
  return Object.fromEntries(uses.map((_, column) => [column, order]))
}

function mapColumns({ uses }: ImportSettings, headings: readonly string[], text: string): ColumnUse[] {
  const mapped = [...uses]
  for (const pair of text.split(',')) {
    const [heading = '', field = ''] = pair.split('=').map((part) => part.trim())
    const column = uses.findIndex(
      (_, index) => columnName(index) === heading || (headings[index] && foldName(headings[index]) === foldName(heading)),
    )
    if (column === -1) throw new UsageError(`--map: there is no column ${heading}`)
    if (field !== 'none' && !(FIELDS as readonly string[]).includes(field))
      throw new UsageError(`--map: there is no field ${field}`)
    mapped[column] = field === 'none' ? '' : (field as ColumnUse)
  }
  return mapped
}

const MOST_REPORTED = 1000

/** The summary, and the rows that need attention, on standard output. */
async function report(context: CommandContext, list: PeopleImport): Promise<void> {
  const { settings, summary } = list
  if (!summary) {
    console.log(`Columns cannot be used: ${checkMapping(settings.uses)?.problem.replaceAll('_', ' ')}. Name them with --map.`)
    return
  }
  console.log(VERDICTS.map((verdict) => `${verdict}: ${summary.counts[verdict]}`).join(', '))
  const words = wordsFor('en', context.site.timeZone)
  for (const verdict of ['conflict', 'error'] as const) {
    const { rows } = await findShownRows(context.db, list, verdict, { limit: MOST_REPORTED, offset: 0 })
    const lines = rows.map(({ number, email, problems }) => [
      `row ${number}`,
      verdict,
      email || '-',
      problems.map(({ code, value = '' }) => words.t(`people_import.problem_${code}`, { value } as never)).join(' '),
    ])
    for (const line of formatTable(lines)) console.log(line)
  }
}
