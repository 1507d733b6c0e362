import { ORGANISATIONS, type Organisation } from '#platform/features/modules.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { countNeeded, getStarter } from '../rules/starter-content.ts'
import { STARTERS_OF, type Starter } from '../rules/starters.ts'

export const STARTERS_PATH = '/planning/templates/starters/'

export type StartersData = {
  words: Words
  csrfToken: string
  language: SourceLanguage
  /** Its templates come first; undefined: all kinds are shown alike. */
  organisation: Organisation | undefined
  /** Names of templates that are there already. */
  known: ReadonlySet<string>
}

export const startersView = (data: StartersData): Html =>
  html`${pageHeadView({ title: data.words.t('template.starters'), facts: data.words.t('template.starters_intro') })}${starterChoicesView(data)}`

/** Those of other organisations are folded. */
export function starterChoicesView(data: StartersData): Html {
  const { words, organisation } = data
  if (!organisation) return html`${ORGANISATIONS.map((kind) => kindView(data, kind))}`
  const others = ORGANISATIONS.filter((kind) => kind !== organisation)
  return html`${listView(data, STARTERS_OF[organisation])}
<details class="more-fields"><summary>${words.t('template.starters_others')}</summary>${others.map((kind) => kindView(data, kind))}</details>`
}

const kindView = (data: StartersData, kind: Organisation): Html =>
  html`<h2>${data.words.t(`template.for_${kind}`)}</h2>${listView(data, STARTERS_OF[kind])}`

const listView = (data: StartersData, starters: readonly Starter[]): Html =>
  html`<ul class="plan-lines" role="list">${starters.map((starter) => starterView(data, starter))}</ul>`

function starterView({ words, csrfToken, language, known }: StartersData, starter: Starter): Html {
  const template = getStarter(starter)
  const name = template.name[language]
  const needed = countNeeded(template)
  const facts = [
    words.t('ui.shifts', { count: template.shifts.length }),
    ...(needed ? [words.t('template.starter_needs', { count: needed })] : []),
  ]
  const action = postButtonView({
    action: STARTERS_PATH,
    csrfToken,
    fields: { starter },
    label: words.t('template.take'),
    kind: 'secondary',
    attributes: { 'aria-label': words.t('template.take_named', { name }) },
  })
  return html`<li><div><p class="plan-line-when">${name} ${known.has(name) && badgeView({ tone: 'quiet', text: words.t('template.taken_already') })}</p>
<p class="plan-line-what">${template.description[language]}</p><p class="plan-line-what">${facts.join(' · ')}</p></div>${action}</li>`
}
