import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { progressView } from '#platform/ui/progress.ts'
import type { PeopleImport } from '../queries/imports.ts'
import type { ImportSummary } from '../rules/import.ts'
import { applyForm } from '../schema.ts'
import { type RowsData, rowsView } from './rows.ts'
import { type SettingsData, settingsView } from './settings.ts'
import { importPath, stateBadge } from './start.ts'

const ENCODINGS: Record<string, string> = { 'utf-8': 'UTF-8', 'utf-16': 'UTF-16', 'windows-1252': 'Windows-1252' }
const SEPARATORS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const

function factsOf(words: Words, { format, summary }: PeopleImport): string {
  const rows = summary && Object.values(summary.counts).reduce((sum, count) => sum + count, 0)
  const kind =
    format.kind === 'xlsx'
      ? 'Excel'
      : words.t('people_import.format_text', {
          encoding: ENCODINGS[format.encoding] ?? format.encoding,
          separator: words.t(`people_import.separator_${SEPARATORS[format.separator as keyof typeof SEPARATORS]}`),
        })
  return [...(rows === null ? [] : [words.t('people_import.rows', { count: rows })]), kind].join(' · ')
}

const headOf = (words: Words, list: PeopleImport): Html =>
  pageHeadView({ title: list.fileName, badge: stateBadge(words, list.state), facts: factsOf(words, list) })

type PreviewData = {
  words: Words
  csrfToken: string
  list: PeopleImport
  settings: SettingsData
  rows: RowsData | undefined
  hasMail: boolean
  applyState: FormState
}

export function previewView({ words, csrfToken, list, settings, rows, hasMail, applyState }: PreviewData): Html {
  const notice = list.refusal
    ? html`<div class="notice tone-warn" role="alert">${iconView('triangle-alert')}<p>${words.t(`people_import.refused_${list.refusal}`)}</p></div>`
    : list.checkedAt &&
      html`<div class="notice tone-info">${iconView('info')}<p>${words.t('people_import.checked', { time: words.dateTime(list.checkedAt) })}</p></div>`
  const discard = postButtonView({
    action: importPath(list.id, 'discard'),
    csrfToken,
    label: words.t('people_import.discard'),
    kind: 'quiet',
    icon: 'trash-2',
  })
  return html`${headOf(words, list)}<div class="stack">${notice}
${cardView({ title: words.t('people_import.settings_title'), body: settingsView(settings) })}
${rows && rowsView(rows)}
${list.summary && applyView({ words, csrfToken, list, summary: list.summary, hasMail, applyState })}
<div>${discard}</div></div>`
}

type ApplyData = Pick<PreviewData, 'words' | 'csrfToken' | 'list' | 'hasMail' | 'applyState'> & { summary: ImportSummary }

function applyView({ words, csrfToken, list, summary: { counts }, hasMail, applyState }: ApplyData): Html {
  const good = counts.new + counts.updated
  const bad = counts.conflict + counts.error
  if (!good)
    return html`<div class="notice tone-info">${iconView('info')}<p>${words.t(bad ? 'people_import.apply_no_good' : 'people_import.apply_nothing')}</p></div>`
  return cardView({
    title: words.t('people_import.apply_title'),
    body: applyForm.view({
      words,
      csrfToken,
      action: importPath(list.id, 'apply'),
      state: applyState,
      guard: false,
      submit: {
        label: words.t(bad > 0 ? 'people_import.apply_skipping' : 'people_import.apply', { count: good, bad }),
        icon: 'user-plus',
      },
      layout: (field) => [
        html`<input type="hidden" name="mode" value="${bad > 0 ? 'good' : 'all'}">`,
        bad > 0 && html`<p class="help">${words.t('people_import.apply_skipping_help')}</p>`,
        counts.new > 0 &&
          field('invite', hasMail ? {} : { help: words.t('people_import.invite_impossible'), attributes: { disabled: true } }),
      ],
    }),
  })
}

export function progressPageView({ words, list }: { words: Words; list: PeopleImport }): Html {
  const isUndo = list.state === 'undo_waiting' || list.state === 'undoing'
  const label = words.t(isUndo ? 'people_import.progress_undo' : 'people_import.progress')
  const reload = linkButtonView({ href: importPath(list.id), label: words.t('people_import.reload'), icon: 'refresh-cw' })
  return html`${headOf(words, list)}
${cardView({
  body: html`${progressView({ words, label, done: list.done, total: list.total || undefined })}<p class="help">${words.t('people_import.progress_help')}</p>${reload}`,
})}`
}

type ResultData = {
  words: Words
  list: PeopleImport
  rows: RowsData | undefined
  kept: number
  undoUntil: Date | undefined
}

export function resultView({ words, list, rows, kept, undoUntil }: ResultData): Html {
  const { counts } = list.summary ?? { counts: { new: 0, updated: 0, same: 0, conflict: 0, error: 0 } }
  const bad = counts.conflict + counts.error
  const lines = list.undoneAt
    ? [
        words.t('people_import.undone', { time: words.dateTime(list.undoneAt) }),
        kept > 0 && words.t('people_import.undone_kept', { count: kept }),
      ]
    : [
        list.appliedAt && words.t('people_import.applied', { time: words.dateTime(list.appliedAt) }),
        counts.new > 0 && words.t('people_import.applied_new', { count: counts.new }),
        counts.updated > 0 && words.t('people_import.applied_updated', { count: counts.updated }),
        bad > 0 && words.t('people_import.applied_skipped', { count: bad }),
        counts.new > 0 && words.t(list.sendsInvitations ? 'people_import.invited' : 'people_import.not_invited'),
      ]
  const undo =
    undoUntil &&
    html`<p class="help">${words.t('people_import.undo_until', { time: words.dateTime(undoUntil) })}</p>${linkButtonView({
      href: importPath(list.id, 'undo'),
      label: words.t('people_import.undo'),
      kind: 'danger',
      icon: 'undo-2',
    })}`
  return html`${headOf(words, list)}<div class="stack">
${cardView({ body: html`${lines.filter(Boolean).map((line) => html`<p>${line}</p>`)}`, footer: undo })}
${rows && rowsView(rows)}</div>`
}
