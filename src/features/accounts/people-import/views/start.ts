import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { SHEET_LIMITS } from '#platform/spreadsheet/sheet.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { ImportState } from '../rules/import.ts'
import { MAX_FILE_BYTES, uploadForm } from '../schema.ts'

export const IMPORTS = '/manage/people/import/'
export const EXPORT = '/manage/people/export/'
export const importPath = (id: number, what = ''): string => `${IMPORTS}${id}/${what && `${what}/`}`

const SIZE_MB = MAX_FILE_BYTES / 1e6

type ListedImport = { id: number; fileName: string; createdAt: Date; createdBy: string | null; state: ImportState }

type StartData = {
  words: Words
  now: Date
  csrfToken: string
  state: FormState
  imports: readonly ListedImport[]
  mayExport: boolean
}

export function startView({ words, now, csrfToken, state, imports, mayExport }: StartData): Html {
  const exports = mayExport && [
    linkButtonView({ href: EXPORT, label: words.t('people_import.export_csv'), icon: 'download' }),
    linkButtonView({ href: `${EXPORT}?format=xlsx`, label: words.t('people_import.export_xlsx'), icon: 'file-spreadsheet' }),
  ]
  const form = uploadForm.view({
    words,
    action: IMPORTS,
    csrfToken,
    state,
    submit: { label: words.t('people_import.read'), icon: 'upload' },
    attributes: { enctype: 'multipart/form-data' },
    layout: (field) => [
      field('file', {
        help: words.t('people_import.file_help', { rows: SHEET_LIMITS.maxRows, size: SIZE_MB }),
        sizeLimit: { maxBytes: MAX_FILE_BYTES, message: words.t('people_import.file_too_big', { size: SIZE_MB }) },
      }),
      field('text'),
    ],
  })
  return html`${pageHeadView({ title: words.t('people_import.title'), facts: words.t('people_import.intro') })}<div class="stack">
${form}
${cardView({
  title: words.t('people_import.columns_title'),
  body: html`<p>${words.t('people_import.columns_text')}</p><p>${words.t('people_import.columns_qualifications')}</p><p>${words.t('people_import.columns_guardians')}</p><p>${words.t('people_import.columns_empty')}</p>`,
  footer: exports && html`<p class="help">${words.t('people_import.export')}</p><div class="cluster">${exports}</div>`,
})}
${imports.length > 0 && recentView(words, now, imports)}</div>`
}

const TONES: Record<ImportState, Tone> = {
  open: 'info',
  waiting: 'warn',
  running: 'warn',
  applied: 'good',
  undo_waiting: 'warn',
  undoing: 'warn',
  undone: 'quiet',
}
export const stateBadge = (words: Words, state: ImportState): Html =>
  badgeView({ tone: TONES[state], text: words.t(`people_import.state_${state}`) })

function recentView(words: Words, now: Date, imports: readonly ListedImport[]): Html {
  return html`${tableView<ListedImport>({
    caption: words.t('people_import.recent'),
    showCaption: true,
    rows: imports,
    columns: [
      {
        label: words.t('people_import.file'),
        main: true,
        cell: ({ id, fileName }) => html`<a class="wrap" href="${importPath(id)}">${fileName}</a>`,
      },
      { label: words.t('people_import.state'), cell: ({ state }) => stateBadge(words, state) },
      { label: words.t('people_import.by'), cell: ({ createdBy }) => createdBy ?? words.t('people_import.by_operator') },
      { label: words.t('people_import.when'), numeric: true, cell: ({ createdAt }) => words.relative(createdAt, now) },
    ],
  })}<p class="help">${words.t('people_import.kept_help')}</p>`
}
