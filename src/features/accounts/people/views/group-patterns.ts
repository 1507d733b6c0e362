import { z } from 'zod'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { checkboxes, defineForm, hidden } from '#platform/ui/define-form.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { formTexts } from '#platform/ui/form-schemas.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { PATTERNS, type Pattern, type ProposedGroup } from '../rules/group-patterns.ts'
import { GROUPS } from './groups.ts'

export const PATTERNS_PATH = `${GROUPS}patterns/`

export const patternForm = defineForm({
  pattern: hidden(z.enum(PATTERNS)),
  groups: checkboxes({ label: 'groups.pattern_which', help: 'groups.pattern_which_help', schema: formTexts }),
})

/** What its members may do, as a sentence. */
function sentenceOf(words: Words, { bundles, publishFor }: ProposedGroup): string {
  if (bundles.includes('management')) return words.t('groups.pattern_management')
  if (bundles.includes('planning')) return words.t('groups.pattern_planning', { names: words.list(publishFor) })
  return words.t('groups.pattern_member')
}

type PatternRow = { pattern: Pattern; groups: readonly ProposedGroup[] }

export function patternsView(words: Words, rows: readonly PatternRow[]): Html {
  const card = ({ pattern, groups }: PatternRow) => {
    const title = words.t(`groups.pattern_${pattern}`)
    const link = linkButtonView({
      href: `${PATTERNS_PATH}?pattern=${pattern}`,
      label: words.t('groups.pattern_choose'),
      kind: 'secondary',
      attributes: { 'aria-label': `${title}: ${words.t('groups.pattern_choose')}` },
    })
    const lines = groups.map((group) => html`<li><b>${group.name}</b>: ${sentenceOf(words, group)}</li>`)
    return cardView({ title, body: html`<ul>${lines}</ul>${link}` })
  }
  return html`${pageHeadView({ title: words.t('groups.patterns_title'), facts: words.t('groups.patterns_intro') })}${rows.map(card)}`
}

type PatternData = {
  words: Words
  csrfToken: string
  pattern: Pattern
  groups: readonly ProposedGroup[]
  state?: FormState | undefined
}

export function patternView({ words, csrfToken, pattern, groups, state }: PatternData): Html {
  const head = pageHeadView({ title: words.t(`groups.pattern_${pattern}`) })
  const back = linkButtonView({ href: PATTERNS_PATH, label: words.t('groups.pattern_back'), kind: 'quiet' })
  if (groups.every(({ isThere }) => isThere))
    return html`${head}${emptyView({ icon: 'users', text: words.t('groups.pattern_complete'), action: back })}`
  const options = groups.map((group) => ({
    value: group.key as string,
    label: group.name,
    help: group.isThere ? words.t('groups.pattern_there') : sentenceOf(words, group),
    disabled: group.isThere,
  }))
  const wanted = groups.filter(({ isThere }) => !isThere).map(({ key }) => key)
  return html`${head}${patternForm.view({
    words,
    csrfToken,
    action: PATTERNS_PATH,
    state: state ?? patternForm.state({ pattern, groups: wanted }),
    submit: words.t('groups.pattern_create'),
    cancel: { href: GROUPS },
    extra: back,
    layout: (field) => [field('pattern'), field('groups', { options })],
  })}`
}
