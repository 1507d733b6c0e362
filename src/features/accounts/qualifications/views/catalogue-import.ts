import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { fileField, hiddenField } from '#platform/ui/fields.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { CatalogueLine } from '../rules/catalogue-import.ts'
import type { Starter } from '../rules/starters.ts'
import { importForm } from '../schema.ts'
import { QUALIFICATIONS } from './qualifications.ts'

export const IMPORT = `${QUALIFICATIONS}import/`
export const STARTERS_PATH = `${QUALIFICATIONS}starters/`

type StarterRow = { starter: Starter; titles: readonly string[] }

/** Catalogues to begin with, each with what it contains. */
export function startersView({ words, rows }: { words: Words; rows: readonly StarterRow[] }): Html {
  const card = ({ starter, titles }: StarterRow) => {
    const title = words.t(`qualification.starter_${starter}`)
    const link = linkButtonView({
      href: `${IMPORT}?starter=${starter}`,
      label: words.t('qualification.starter_choose'),
      kind: 'secondary',
      attributes: { 'aria-label': `${title}: ${words.t('qualification.starter_choose')}` },
    })
    return cardView({ title, body: html`<p>${words.list(titles)}</p>${link}` })
  }
  const head = pageHeadView({ title: words.t('qualification.starters_title'), facts: words.t('qualification.starters_intro') })
  return html`${head}${rows.map(card)}`
}

/** Everything of the list exists already. */
export function completeView(words: Words, starter: Starter): Html {
  const action = linkButtonView({ href: STARTERS_PATH, label: words.t('qualification.starter_back') })
  return html`${pageHeadView({ title: words.t(`qualification.starter_${starter}`) })}${emptyView({ icon: 'award', text: words.t('qualification.starter_complete'), action })}`
}

const periodText = (words: Words, months: number | null): string =>
  months === null ? words.t('qualification.no_period') : words.t('qualification.period', { count: months })

export function importView({ words, csrfToken, state }: { words: Words; csrfToken: string; state: FormState }): Html {
  const file = fileField({
    words,
    name: 'file',
    label: words.t('qualification.import_file'),
    accept: '.json,application/json',
  })
  return html`${pageHeadView({ title: words.t('qualification.import_title'), facts: words.t('qualification.import_intro') })}${importForm.view(
    {
      words,
      csrfToken,
      state,
      action: IMPORT,
      guard: false,
      submit: words.t('qualification.import_preview'),
      cancel: { href: QUALIFICATIONS },
      layout: (field) =>
        html`${hiddenField('step', 'preview')}<div data-file-into="field-catalogue" hidden>${file}</div>${field('catalogue')}`,
    },
  )}`
}

type PreviewData = {
  words: Words
  csrfToken: string
  catalogue: string
  lines: readonly CatalogueLine[]
  chosen: ReadonlySet<string>
  /** Undefined for a file. */
  starter?: Starter | undefined
}

export function previewView({ words, csrfToken, catalogue, lines, chosen, starter }: PreviewData): Html {
  const help = ({ state, changes, entry }: CatalogueLine) => {
    const changeTexts = changes.map((change) =>
      change.field === 'valid_months'
        ? words.t('qualification.import_change', { from: periodText(words, change.from), to: periodText(words, change.to) })
        : words.t('qualification.import_change', { from: change.from || '–', to: change.to || '–' }),
    )
    const period = entry.valid_months ? [periodText(words, entry.valid_months)] : []
    return [entry.category.title, ...period, words.t(`qualification.import_${state}`), ...changeTexts].join(' · ')
  }
  const selected = lines.filter(({ entry, state }) => state !== 'new' || chosen.has(entry.uuid)).map(({ entry }) => entry.uuid)
  const options = lines.map((line) => ({
    value: line.entry.uuid,
    label: line.entry.abbreviation ? `${line.entry.title} (${line.entry.abbreviation})` : line.entry.title,
    help: help(line),
    disabled: line.state !== 'new',
  }))
  const title = words.t(starter ? `qualification.starter_${starter}` : 'qualification.import_title')
  const back = starter
    ? linkButtonView({ href: STARTERS_PATH, label: words.t('qualification.starter_back'), kind: 'quiet' })
    : linkButtonView({ href: IMPORT, label: words.t('qualification.import_back'), kind: 'quiet' })
  return html`${pageHeadView({ title })}${importForm.view({
    words,
    csrfToken,
    state: importForm.state({ chosen: selected }),
    action: IMPORT,
    guard: false,
    submit: words.t('qualification.import_submit'),
    cancel: { href: QUALIFICATIONS },
    extra: back,
    layout: (field) => [
      hiddenField('step', 'import'),
      hiddenField('catalogue', catalogue),
      field('chosen', {
        options,
        ...(starter ? { label: words.t('qualification.starter_which'), help: words.t('qualification.starter_which_help') } : {}),
      }),
    ],
  })}`
}
