import { buffer } from 'node:stream/consumers'
import { PEOPLE } from '#features/accounts/people/views/people.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { ReceivedFile } from '#platform/files/upload.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import {
  actionPage,
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type Redirect,
  type Refused,
} from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { isLanguage } from '#platform/i18n/languages.ts'
import { offeredLanguages } from '#platform/i18n/offered.ts'
import type { Words } from '#platform/i18n/words.ts'
import { readSpreadsheet, readTable } from '#platform/spreadsheet/read.ts'
import { SHEET_LIMITS, type Spreadsheet, SpreadsheetError } from '#platform/spreadsheet/sheet.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE, type FormValues } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { maySeeImport, rightsOf } from '../access.ts'
import { queueImport } from '../commands/apply.ts'
import { changeSettings, checkImport } from '../commands/check.ts'
import { discardImport, startImport } from '../commands/start.ts'
import { queueUndo } from '../commands/undo.ts'
import { findFirstRows, findImports, findShownRows, getImport, type PeopleImport, type RowFilter } from '../queries/imports.ts'
import { findGroupNames, findNamedQualifications } from '../queries/people.ts'
import { type ColumnUse, checkMapping, columnName, FIELDS, guessUses } from '../rules/columns.ts'
import { canBeUndone, headingsOf, type ImportSettings, isDate, UNDO_MS } from '../rules/import.ts'
import { type ForNew, type NameChoice, VERDICTS } from '../rules/judgement.ts'
import { applyForm, MAX_FILE_BYTES, settingsForm, uploadForm } from '../schema.ts'
import { previewView, progressPageView, resultView } from '../views/import.ts'
import type { RowsData } from '../views/rows.ts'
import { IMPORTS, importPath, startView } from '../views/start.ts'

type Options = { files: FileStore; hasMail: boolean }

const crumbs = (words: Words, ...more: { href: string; label: string }[]) =>
  manageCrumbs(words, { href: PEOPLE, label: words.t('people.title') }, ...more)
const importCrumb = (words: Words) => ({ href: IMPORTS, label: words.t('people_import.title') })

async function readUpload({ files }: Options, file: ReceivedFile): Promise<Spreadsheet> {
  const stream = file.id === undefined ? undefined : await files.get(file.id)
  if (!stream || file.id === undefined) throw new SpreadsheetError('empty')
  const bytes = await buffer(stream)
  await files.delete(file.id)
  return readSpreadsheet(bytes)
}

const faultText = (words: Words, { fault }: SpreadsheetError): string =>
  fault === 'too_long'
    ? words.t('people_import.fault_too_long', { rows: SHEET_LIMITS.maxRows })
    : words.t(`people_import.fault_${fault}`)

const startPage = (options: Options): Page =>
  formPage({
    path: IMPORTS,
    access: permission('add_user'),
    form: uploadForm.schema,
    uploads: { maxBytes: MAX_FILE_BYTES },
    authorizeUpload: async ({ context }) => rightsOf(context.actor),
    show: async ({ context: { words, now, db, actor }, csrfToken }, refused) => ({
      title: words.t('people_import.title'),
      breadcrumb: crumbs(words),
      main: startView({
        words,
        now,
        csrfToken,
        state: refused ?? EMPTY_STATE,
        imports: await findImports(db, actor),
        mayExport: hasPermission(actor, 'view_user'),
      }),
    }),
    submit: async ({ context: { words }, commandContext }, { file: [file], text }) => {
      const refuse = (field: 'file' | 'text', message: string) => ({ refused: [{ field, text: message }] })
      if (file?.isTooLarge) return refuse('file', words.t('people_import.file_too_big', { size: MAX_FILE_BYTES / 1e6 }))
      if (!file && !text.trim()) return refuse('file', words.t('people_import.nothing_given'))
      try {
        const spreadsheet = file ? await readUpload(options, file) : readTable(text)
        const fileName = cleanName(file?.name) || words.t('people_import.pasted')
        const id = await startImport(commandContext, { fileName, spreadsheet })
        await checkImport(commandContext, id)
        return { redirect: importPath(id) }
      } catch (error) {
        if (!(error instanceof SpreadsheetError)) throw error
        return refuse(file ? 'file' : 'text', faultText(words, error))
      }
    },
  })

const cleanName = (name = ''): string =>
  name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 200)

async function requireImport({ context, path }: PageRequest<{ id: number }>): Promise<PeopleImport> {
  const list = await getImport(context.db, path.id)
  if (!list || !maySeeImport(context.actor, list)) throw new Problem('not_found')
  return list
}

const PAGE_SIZE = 50
const SAMPLE_ROWS = 200
const SAMPLES = 3

function readFilter(query: URLSearchParams, list: PeopleImport): RowFilter {
  const wanted = query.get('show') ?? ''
  if ((VERDICTS as readonly string[]).includes(wanted) || (wanted === 'kept' && list.state === 'undone'))
    return wanted as RowFilter
  return 'all'
}

async function loadRows({ context, query }: PageRequest, list: PeopleImport, kept: number): Promise<RowsData | undefined> {
  if (!list.summary) return undefined
  const filter = readFilter(query, list)
  const asked = /^\d{1,6}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1
  const page = Math.max(1, asked)
  const { count, rows } = await findShownRows(context.db, list, filter, { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })
  return {
    words: context.words,
    importId: list.id,
    counts: list.summary.counts,
    kept,
    filter,
    rows,
    count,
    page,
    pageSize: PAGE_SIZE,
  }
}

async function showPreview(
  request: PageRequest<{ id: number }>,
  list: PeopleImport,
  hasMail: boolean,
  refused?: Refused,
): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, db, actor, site } = context
  const [groups, qualifications, rows, first] = await Promise.all([
    findGroupNames(db),
    findNamedQualifications(db),
    loadRows(request, list, 0),
    findFirstRows(db, list.id, list.settings.sheet, SAMPLE_ROWS),
  ])
  const rights = rightsOf(actor)
  const people = first.filter(({ number }) => number > list.settings.headingRow)
  const samples = list.settings.uses.map((_, column) =>
    people.flatMap(({ cells }) => (cells[column] ? [cells[column].slice(0, 40)] : [])).slice(0, SAMPLES),
  )
  const problem = checkMapping(list.settings.uses)
  const errors = refused?.errors ?? (problem ? [mappingError(words, problem)] : [])
  const main = previewView({
    words,
    csrfToken,
    list,
    hasMail,
    applyState: applyForm.state({ mode: 'all' }),
    settings: {
      words,
      csrfToken,
      importId: list.id,
      settings: list.settings,
      summary: list.summary,
      sheets: list.sheets,
      headings: headingsOf(first, list.settings.headingRow),
      samples,
      guesses: guessUses(people, list.settings.uses, isDate),
      languages: offeredLanguages(site),
      defaultLanguage: site.defaultLanguage ?? 'en',
      groups: groups.filter(({ id }) => rights.mayAssign(id)),
      qualifications,
      mayCreateGroups: rights.mayCreateGroups,
      mayCreateQualifications: rights.mayCreateQualifications && rights.mayChange,
      errors,
      isOpen: errors.length > 0,
    },
    rows,
  })
  return { title: list.fileName, breadcrumb: crumbs(words, importCrumb(words)), main }
}

function mappingError(words: Words, found: NonNullable<ReturnType<typeof checkMapping>>): FormError {
  if (found.problem === 'mapped_twice')
    return {
      field: `column_${found.column}`,
      text: words.t('people_import.mapping_mapped_twice', { name: columnName(found.column) }),
    }
  return { text: words.t(`people_import.mapping_${found.problem}`) }
}

/** Seconds until the page asks again; works without scripts. */
const REFRESH_SECONDS = 2

async function showImport(request: PageRequest<{ id: number }>, hasMail: boolean, refused?: Refused): Promise<PageBody> {
  const list = await requireImport(request)
  const { words, now, db } = request.context
  if (list.state === 'open') return showPreview(request, list, hasMail, refused)
  const shared = { title: list.fileName, breadcrumb: crumbs(words, importCrumb(words)) }
  if (list.state !== 'applied' && list.state !== 'undone')
    return {
      ...shared,
      main: progressPageView({ words, list }),
      head: html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
      headers: { 'cache-control': 'no-store' },
    }
  const kept = list.state === 'undone' ? (await findShownRows(db, list, 'kept', { limit: 1, offset: 0 })).count : 0
  const undoUntil = canBeUndone(list, now) && list.appliedAt ? new Date(list.appliedAt.getTime() + UNDO_MS) : undefined
  return { ...shared, main: resultView({ words, list, rows: await loadRows(request, list, kept), kept, undoUntil }) }
}

const textOf = (form: FormValues, name: string): string | undefined => {
  const value = form[name]
  return typeof value === 'string' ? value : undefined
}

const isUse = (text: string): text is ColumnUse =>
  text === '' || (FIELDS as readonly string[]).includes(text) || /^qualification:\d{1,15}$/.test(text)

function readChoice(text: string | undefined): NameChoice | undefined {
  if (text === 'create' || text === 'skip') return text
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Absent fields keep what was chosen. */
function readForNew(form: FormValues, { forNew }: ImportSettings): ForNew {
  const language = textOf(form, 'new_language')
  const group = textOf(form, 'new_group')
  const chosen = { ...forNew, ...(language !== undefined && isLanguage(language) ? { language } : {}) }
  if (group === undefined || !/^\d{0,15}$/.test(group)) return chosen
  const { group: _, ...others } = chosen
  return group === '' ? others : { ...others, group: Number(group) }
}

/** Absent fields keep what was chosen. */
function readSettings(form: FormValues, list: PeopleImport): ImportSettings | { field: 'heading_row' } {
  const { settings, sheets, summary } = list
  const sheet = Number(textOf(form, 'sheet') ?? settings.sheet)
  const headingText = textOf(form, 'heading_row') ?? String(settings.headingRow)
  if (!/^\d{1,7}$/.test(headingText.trim())) return { field: 'heading_row' }
  const choices = (kind: 'group' | 'qualification', before: Record<string, NameChoice>) => {
    const chosen = (summary?.unknown ?? []).flatMap((each) => {
      const choice = each.kind === kind ? readChoice(textOf(form, `${kind}_${each.key}`)) : undefined
      return choice === undefined ? [] : [[each.key, choice] as const]
    })
    return { ...before, ...Object.fromEntries(chosen) }
  }
  const orders = settings.uses.flatMap((_, column) => {
    const order = textOf(form, `order_${column}`)
    return order === 'dmy' || order === 'mdy' ? [[column, order] as const] : []
  })
  return {
    sheet: sheets[sheet] && !sheets[sheet].isTooLong ? sheet : settings.sheet,
    headingRow: Number(headingText),
    uses: settings.uses.map((use, column) => {
      const text = textOf(form, `column_${column}`) ?? use
      return isUse(text) ? text : use
    }),
    orders: { ...settings.orders, ...Object.fromEntries(orders) },
    groupChoices: choices('group', settings.groupChoices),
    qualificationChoices: choices('qualification', settings.qualificationChoices),
    forNew: readForNew(form, settings),
  }
}

const notOpen = (words: Words, id: number): Redirect => ({
  redirect: importPath(id),
  flash: { kind: 'info', text: words.t('people_import.not_open') },
})

const importPage = ({ hasMail }: Options): Page =>
  formPage({
    path: `${IMPORTS}{id}/`,
    access: permission('add_user'),
    form: settingsForm,
    show: (request, refused) => showImport(request, hasMail, refused),
    submit: async (request, form) => {
      const list = await requireImport(request)
      const { words } = request.context
      if (list.state !== 'open') return notOpen(words, list.id)
      const settings = readSettings(form, list)
      if ('field' in settings) return { refused: [{ field: settings.field, text: words.t('people_import.heading_row_invalid') }] }
      await changeSettings(request.commandContext, list.id, settings)
      return { redirect: importPath(list.id), flash: { kind: 'good', text: words.t('people_import.settings_saved') } }
    },
  })

const applyPage = ({ hasMail }: Options): Page =>
  actionPage({
    path: `${IMPORTS}{id}/apply/`,
    requires: 'recentSignInForSome',
    access: permission('add_user'),
    form: applyForm.schema,
    submit: async (request, { mode, invite }) => {
      const { id } = await requireImport(request)
      const choice = { goodRowsOnly: mode === 'good', sendsInvitations: invite && hasMail }
      const isQueued = await queueImport(request.commandContext, id, choice)
      return isQueued ? { redirect: importPath(id) } : notOpen(request.context.words, id)
    },
  })

const discardPage: Page = actionPage({
  path: `${IMPORTS}{id}/discard/`,
  access: permission('add_user'),
  form: emptyForm,
  submit: async (request) => {
    const { id } = await requireImport(request)
    const { words } = request.context
    if (!(await discardImport(request.commandContext, id))) return notOpen(words, id)
    return { redirect: IMPORTS, flash: { kind: 'good', text: words.t('people_import.discarded') } }
  },
})

const undoPage: Page = formPage({
  path: `${IMPORTS}{id}/undo/`,
  access: permission('add_user'),
  form: emptyForm,
  show: async (request) => {
    const list = await requireImport(request)
    const { words, now } = request.context
    if (!canBeUndone(list, now))
      return { redirect: importPath(list.id), flash: { kind: 'bad', text: words.t('people_import.undo_late') } }
    const title = words.t('people_import.undo_title')
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      danger: true,
      consequences: [
        words.t('people_import.undo_created'),
        words.t('people_import.undo_changed'),
        words.t('people_import.undo_guardians'),
        words.t('people_import.undo_names'),
      ],
      action: importPath(list.id, 'undo'),
      submit: words.t('people_import.undo'),
      cancel: { href: importPath(list.id) },
    })
    return { title, breadcrumb: crumbs(words, importCrumb(words), { href: importPath(list.id), label: list.fileName }), main }
  },
  submit: async (request) => {
    const { id } = await requireImport(request)
    const { words } = request.context
    if (await queueUndo(request.commandContext, id)) return { redirect: importPath(id) }
    return { redirect: importPath(id), flash: { kind: 'bad', text: words.t('people_import.undo_late') } }
  },
})

export const peopleImportPages = (options: Options): Page[] => [
  startPage(options),
  importPage(options),
  applyPage(options),
  discardPage,
  undoPage,
]
