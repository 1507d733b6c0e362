import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { fieldRowView, fieldsetView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { discoveryForm, providerForm, signInSettingsForm } from '../schema.ts'

export const PROVIDERS = '/manage/identity-providers/'
export const providerPath = (id: number, what = ''): string => `${PROVIDERS}${id}/${what && `${what}/`}`
export const NEW_PROVIDER = `${PROVIDERS}new/`
export const NEW_DETAILS = `${PROVIDERS}new/details/`

type StoredProblem = { code: string; why?: string; claims?: readonly { claim: string; expected: string; found: string }[] }
type ProviderRow = {
  id: number
  label: string
  issuer: string | null
  enabled: boolean
  people: number
  withheldGroups: number
  problem: StoredProblem | null
  problemAt: Date | null
}

const stateView = (words: Words, { enabled }: Pick<ProviderRow, 'enabled'>): Html =>
  enabled
    ? badgeView({ tone: 'good', text: words.t('identity.enabled') })
    : badgeView({ tone: 'quiet', text: words.t('identity.disabled'), icon: 'circle-x' })

type ListData = { words: Words; csrfToken: string; providers: readonly ProviderRow[]; settings: FormState }

export function providerListView({ words, csrfToken, providers, settings }: ListData): Html {
  const add = linkButtonView({ href: NEW_PROVIDER, label: words.t('identity.new'), kind: 'primary', icon: 'plus' })
  const head = (actions: Html[]) => pageHeadView({ title: words.t('identity.list'), facts: words.t('identity.intro'), actions })
  if (!providers.length) return html`${head([])}${emptyView({ icon: 'log-in', text: words.t('identity.empty'), action: add })}`
  const table = tableView<ProviderRow>({
    caption: words.t('identity.list'),
    rows: providers,
    columns: [
      {
        label: words.t('identity.provider'),
        main: true,
        cell: ({ id, label }) => html`<a href="${providerPath(id)}">${label}</a>`,
      },
      {
        label: words.t('identity.state'),
        cell: (row) =>
          html`<span class="cluster">${stateView(words, row)}${row.problem && badgeView({ tone: 'warn', text: words.t('identity.has_problem'), icon: 'triangle-alert' })}${row.withheldGroups > 0 && badgeView({ tone: 'warn', text: words.t('identity.mappings_open'), icon: 'triangle-alert' })}</span>`,
      },
      { label: words.t('identity.people'), cell: ({ people }) => words.number(people), numeric: true },
    ],
  })
  const form = signInSettingsForm.view({
    words,
    csrfToken,
    action: PROVIDERS,
    state: settings,
    submit: words.t('identity.save_settings'),
  })
  return html`${head([add])}<div class="stack">${table}${cardView({ title: words.t('identity.settings'), body: form })}</div>`
}

export function discoveryView({ words, csrfToken, state }: { words: Words; csrfToken: string; state: FormState }): Html {
  const form = discoveryForm.view({
    words,
    csrfToken,
    state,
    action: NEW_PROVIDER,
    submit: { label: words.t('identity.discover'), icon: 'search' },
    cancel: { href: PROVIDERS },
    extra: linkButtonView({ href: NEW_DETAILS, label: words.t('identity.by_hand'), kind: 'quiet' }),
  })
  return html`${pageHeadView({ title: words.t('identity.new'), facts: words.t('identity.new_intro') })}${form}`
}

type Choice = { id: number; name: string }
export type ProviderFormData = {
  words: Words
  csrfToken: string
  action: string
  state: FormState
  groups: readonly Choice[]
  callbackUrl: string
  hasSecret: boolean
}

function providerFormView(data: ProviderFormData): Html {
  const { words, csrfToken, action, state, groups, hasSecret } = data
  return providerForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('identity.save'),
    cancel: { href: PROVIDERS },
    layout: (field) => [
      field('version'),
      fieldRowView(field('label'), field('internal_name')),
      fieldsetView({
        legend: words.t('identity.client'),
        help: words.t('identity.client_help'),
        fields: [
          callbackView(data),
          fieldRowView(
            field('client_id'),
            field('client_secret', { help: words.t(hasSecret ? 'identity.secret_stored' : 'identity.secret_help') }),
          ),
        ],
      }),
      fieldsetView({
        legend: words.t('identity.accounts'),
        fields: [field('creates_accounts'), field('trusts_email')],
      }),
      fieldsetView({
        legend: words.t('identity.proofs'),
        fields: [field('trusts_factor'), field('factor_acrs'), field('trusts_proof')],
      }),
      fieldsetView({
        legend: words.t('identity.groups'),
        fields: [
          groups.length > 0 && field('default_groups', { options: groups.map(({ id, name }) => ({ value: id, label: name })) }),
          field('group_claim'),
          field('create_missing_groups'),
        ],
      }),
      fieldsetView({
        legend: words.t('identity.qualifications'),
        fields: [field('qualification_claim'), field('qualification_lines')],
      }),
      fieldsetView({
        legend: words.t('identity.endpoints'),
        help: words.t('identity.endpoints_help'),
        fields: [
          field('issuer'),
          field('authorization_endpoint'),
          field('token_endpoint'),
          field('jwks_uri'),
          field('userinfo_endpoint'),
          field('end_session_endpoint'),
          fieldRowView(field('scopes'), field('token_auth_method')),
        ],
      }),
    ],
  })
}

const callbackView = ({ words, callbackUrl }: ProviderFormData): Html =>
  copyView({
    words,
    id: 'callback-url',
    label: words.t('identity.callback'),
    value: callbackUrl,
    help: words.t('identity.callback_help'),
  })

export function newProviderView(data: ProviderFormData): Html {
  return html`${pageHeadView({ title: data.words.t('identity.new'), facts: data.words.t('identity.details_intro') })}${providerFormView(data)}`
}

export function providerView(data: ProviderFormData & { provider: ProviderRow; groupsCard: Child }): Html {
  const { words, csrfToken, provider } = data
  const { id, label, enabled, people } = provider
  const test = linkButtonView({ href: providerPath(id, 'test'), label: words.t('identity.test'), icon: 'list-checks' })
  const toggle = enabled
    ? linkButtonView({ href: providerPath(id, 'disable'), label: words.t('identity.disable') })
    : postButtonView({ action: providerPath(id, 'enable'), csrfToken, label: words.t('identity.enable'), kind: 'primary' })
  const remove = linkButtonView({ href: providerPath(id, 'delete'), label: words.t('identity.delete'), kind: 'danger' })
  return html`${pageHeadView({
    title: label,
    badge: stateView(words, provider),
    facts: people ? words.t('identity.people_count', { count: people }) : words.t('identity.nobody_yet'),
    actions: [test, toggle],
  })}
<div class="stack">${problemView(words, provider)}${data.groupsCard}${providerFormView(data)}
${cardView({ title: words.t('identity.danger'), body: html`<p>${words.t('identity.delete_hint')}</p>`, footer: remove })}</div>`
}

/** The last failed or incomplete sign-in, for administrators. */
function problemView(words: Words, { problem, problemAt }: ProviderRow): Html | false {
  if (!problem || !problemAt) return false
  const lines = (problem.claims ?? []).map((each) => claimProblemText(words, each))
  return cardView({
    title: words.t('identity.problem_title'),
    aside: words.dateTime(problemAt),
    body: html`<p>${problemText(words, problem)}</p>${lines.length > 0 && html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`}`,
  })
}

function problemText(words: Words, { code, why }: StoredProblem): string {
  if (code === 'claims') return words.t('identity.problem_claims')
  if (code === 'no_auth_time') return words.t('identity.problem_no_auth_time')
  if (code === 'incomplete') return words.t('identity.problem_incomplete')
  return words.t(code === 'unreachable' ? 'identity.problem_unreachable' : 'identity.problem_invalid', { why: why ?? code })
}

export const claimProblemText = (
  words: Words,
  { claim, expected, found }: { claim: string; expected: string; found: string },
): string => words.t(`identity.claim_no_${expected === 'day' || expected === 'list' ? expected : 'text'}`, { claim, found })

export function testIntroView(words: Words, { id, label }: Pick<ProviderRow, 'id' | 'label'>): Html {
  return html`${pageHeadView({ title: words.t('identity.test_title', { label }) })}
${cardView({
  body: html`<p>${words.t('identity.test_text', { label })}</p><p>${words.t('identity.test_harmless')}</p>`,
  footer: html`<div class="button-row">${linkButtonView({ href: providerPath(id, 'test/start'), label: words.t('identity.test_start', { label }), kind: 'primary', icon: 'log-in' })}${linkButtonView({ href: providerPath(id), label: words.t('ui.cancel'), kind: 'quiet' })}</div>`,
})}`
}
