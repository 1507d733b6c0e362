import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { confirmGroupPath, newMappingPath, rightsLines, type ShownGroup } from './groups.ts'
import { claimProblemText, providerPath } from './manage.ts'

type TestData = {
  provider: { id: number; label: string }
  subject: string
  email: { ok: true; email: string } | { ok: false; reason: string }
  claims: Readonly<Record<string, unknown>>
  decision: { kind: 'sign_in' | 'link' | 'confirm' | 'create' } | { kind: 'refuse'; reason: string }
  factor: 'counts' | 'stated' | 'none'
  tellsTime: boolean
  groups: {
    joined: readonly ShownGroup[]
    withheld: readonly { value: string | undefined; reason: 'unmapped' | 'responsible' | 'widened'; group: ShownGroup }[]
    created: readonly string[]
    ignored: readonly string[]
    all: readonly { id: number; name: string }[]
  }
  qualifications: { titles: string[]; unknown: string[] } | undefined
  problems: readonly { claim: string; expected: string; found: string }[]
}

const MAX_CLAIM_LENGTH = 500

/** What came from the provider and what a sign-in would do. */
export function testResultView(words: Words, result: TestData): Html {
  const { provider, subject, email, claims, decision, factor, tellsTime, groups, qualifications, problems } = result
  const list = (values: readonly string[]) => (values.length ? values.join(', ') : words.t('identity.none'))
  const facts: { name: string; value: Child }[] = [
    { name: words.t('identity.test_subject'), value: html`<code>${subject}</code>` },
    {
      name: words.t('identity.test_email'),
      value: email.ok ? email.email : words.t(`identity.test_${email.reason as 'email_missing'}`),
    },
    { name: words.t('identity.test_effect'), value: words.t(effectKey(decision)) },
    { name: words.t('identity.test_factor'), value: words.t(`identity.test_factor_${factor}`) },
    {
      name: words.t('identity.test_time'),
      value: words.t(tellsTime ? 'identity.test_time_known' : 'identity.test_time_missing'),
    },
    { name: words.t('identity.groups'), value: joinedView(words, result) },
    ...(groups.created.length ? [{ name: words.t('identity.test_created_groups'), value: list(groups.created) }] : []),
    ...(groups.ignored.length ? [{ name: words.t('identity.test_ignored_groups'), value: list(groups.ignored) }] : []),
    ...(qualifications ? [{ name: words.t('identity.qualifications'), value: list(qualifications.titles) }] : []),
    ...(qualifications?.unknown.length
      ? [{ name: words.t('identity.test_unknown_qualifications'), value: list(qualifications.unknown) }]
      : []),
  ]
  const hasWarning = problems.length > 0 || groups.withheld.length > 0
  const rows = Object.entries(claims).map(([name, value]) => ({ name, value: showClaim(value) }))
  return html`${pageHeadView({
    title: words.t('identity.test_title', { label: provider.label }),
    badge: badgeView({
      tone: hasWarning ? 'warn' : 'good',
      text: words.t(hasWarning ? 'identity.test_warning' : 'identity.test_good'),
    }),
    facts: words.t('identity.test_unchanged'),
    actions: [linkButtonView({ href: providerPath(provider.id), label: words.t('identity.back'), kind: 'primary' })],
  })}
<div class="stack">${
    problems.length > 0 &&
    cardView({
      title: words.t('identity.problem_title'),
      body: html`<ul>${problems.map((problem) => html`<li>${claimProblemText(words, problem)}</li>`)}</ul>`,
    })
  }
${cardView({ title: words.t('identity.test_result'), body: factListView(facts) })}
${withheldView(words, result)}
${cardView({
  title: words.t('identity.test_claims'),
  body: tableView<{ name: string; value: string }>({
    caption: words.t('identity.test_claims'),
    rows,
    columns: [
      { label: words.t('identity.claim'), main: true, cell: ({ name }) => html`<code>${name}</code>` },
      { label: words.t('identity.value'), cell: ({ value }) => html`<span class="wrap">${value}</span>` },
    ],
  }),
})}</div>`
}

/** Groups that the sign-in gives, with what their members may do. */
function joinedView(words: Words, { groups: { joined, all } }: TestData): Child {
  if (!joined.length) return words.t('identity.none')
  return html`<ul>${joined.map((group) => {
    const lines = rightsLines(words, group, all)
    return html`<li>${group.name}${lines.length > 0 && html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`}</li>`
  })}</ul>`
}

/** Groups that the claim names and that the sign-in does not give, with the next step. */
function withheldView(words: Words, { provider, groups: { withheld, all } }: TestData): Html | false {
  if (!withheld.length) return false
  const lines = withheld.map(({ value, reason, group }) => {
    const href =
      reason === 'widened'
        ? confirmGroupPath(provider.id, value ?? '', group.id)
        : newMappingPath(provider.id, { value, group: group.id })
    const text =
      value === undefined
        ? words.t('identity.withheld_everybody', { group: group.name })
        : words.t(`identity.withheld_${reason}`, { group: group.name, value })
    return html`<li>${text}<ul>${rightsLines(words, group, all).map((line) => html`<li>${line}</li>`)}</ul><p>${linkButtonView({ href, label: words.t(reason === 'widened' ? 'identity.confirm_again' : 'identity.map'), small: true, attributes: { 'aria-label': words.t('identity.map_of', { group: group.name }) } })}</p></li>`
  })
  return cardView({ title: words.t('identity.withheld'), body: html`<ul>${lines}</ul>` })
}

const showClaim = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, MAX_CLAIM_LENGTH)

function effectKey(decision: TestData['decision']) {
  if (decision.kind !== 'refuse') return `identity.effect_${decision.kind}` as const
  return `identity.effect_${decision.reason as 'inactive' | 'no_account' | 'email_missing' | 'email_unverified'}` as const
}
