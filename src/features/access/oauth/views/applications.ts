import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { errorOf, type FormState, fieldValue } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { OFFERED_SCOPES } from '../rules/scopes.ts'
import { applicationForm } from '../schema.ts'
import { scopeSentence } from './scopes.ts'

export const APPLICATIONS = '/manage/applications/'
export const applicationPath = (id: number, what = ''): string => `${APPLICATIONS}${id}/${what && `${what}/`}`

type ApplicationRow = {
  id: number
  name: string
  lastUsedAt: Date | null
  people: number
  disabledAt: Date | null
  trusted: boolean
  isPublic: boolean
}

export function applicationListView(words: Words, applications: readonly ApplicationRow[]): Html {
  const register = linkButtonView({
    href: `${APPLICATIONS}new/`,
    label: words.t('oauth.manage_new'),
    kind: 'primary',
    icon: 'plus',
  })
  if (!applications.length) {
    return html`${pageHeadView({ title: words.t('oauth.manage_title'), facts: words.t('oauth.manage_intro') })}
${emptyView({ icon: 'link', text: words.t('oauth.manage_empty'), action: register })}`
  }
  const table = tableView<ApplicationRow>({
    caption: words.t('oauth.manage_title'),
    rows: applications,
    columns: [
      { label: words.t('oauth.name'), cell: ({ id, name }) => html`<a href="${applicationPath(id)}">${name}</a>`, main: true },
      { label: words.t('oauth.state'), cell: (row) => stateView(words, row) },
      { label: words.t('oauth.people'), cell: ({ people }) => words.number(people), numeric: true },
      {
        label: words.t('oauth.last_use'),
        cell: ({ lastUsedAt }) => (lastUsedAt ? words.date(lastUsedAt) : words.t('oauth.never')),
        numeric: true,
      },
    ],
  })
  return html`${pageHeadView({ title: words.t('oauth.manage_title'), facts: words.t('oauth.manage_intro'), actions: [register] })}
${table}`
}

function stateView(
  words: Words,
  { disabledAt, trusted, isPublic }: Pick<ApplicationRow, 'disabledAt' | 'trusted' | 'isPublic'>,
): Html {
  if (disabledAt) return badgeView({ tone: 'quiet', text: words.t('oauth.state_off'), icon: 'circle-x' })
  return html`<span>${badgeView({ tone: 'good', text: words.t('oauth.state_on') })}${trusted && html` ${badgeView({ tone: 'info', text: words.t('oauth.state_trusted') })}`}${isPublic && html` ${badgeView({ tone: 'quiet', text: words.t('oauth.state_public') })}`}</span>`
}

type ApplicationFormData = {
  words: Words
  csrfToken: string
  action: string
  state: FormState
  submit: string
  /** Undefined: the type of a new application can be chosen. */
  isPublic?: boolean
}

function applicationFormView({ words, csrfToken, action, state, submit, isPublic }: ApplicationFormData): Html {
  const scopes = OFFERED_SCOPES.map((scope) => ({
    value: scope,
    label: scope,
    help: scopeSentence(words, scope),
  }))
  return applicationForm.view({
    words,
    csrfToken,
    action,
    state,
    submit,
    cancel: { href: APPLICATIONS },
    layout: (field) => [
      field('name'),
      isPublic === undefined && field('client_type'),
      field('redirect_uris'),
      field('allowed_scopes', { options: scopes }),
      html`<details class="more-fields" ${attrs({ open: isUnusual(state) })}><summary>${words.t('oauth.more_options')}</summary><div class="stack">${[
        // PKCE is always required of public applications, and people are always asked.
        !isPublic && field('require_pkce'),
        !isPublic && field('trusted'),
        field('allows_devices'),
        isPublic === undefined && field('is_for_assistants'),
        field('post_logout_redirect_uris'),
        field('allowed_origins'),
      ]}</div></details>`,
    ],
  })
}

const RARE_FIELDS = [
  'require_pkce',
  'trusted',
  'allows_devices',
  'is_for_assistants',
  'post_logout_redirect_uris',
  'allowed_origins',
]

/** Whether an option that few applications need is set or wrong. */
const isUnusual = ({ values, errors }: FormState): boolean =>
  RARE_FIELDS.some(
    (name) => errorOf(errors, name) !== undefined || (fieldValue(values, name) !== '') !== (name === 'require_pkce'),
  )

export function newApplicationView(data: ApplicationFormData): Html {
  return html`${pageHeadView({ title: data.words.t('oauth.manage_new') })}${applicationFormView(data)}`
}

type ShownApplication = ApplicationRow & { clientId: string }

export function applicationView(data: ApplicationFormData & { application: ShownApplication; siteUrl: string }): Html {
  const { words, csrfToken, application, siteUrl } = data
  const { id, name, clientId, people, lastUsedAt, disabledAt } = application
  const used = lastUsedAt ? words.date(lastUsedAt) : words.t('oauth.never')
  const facts = `${words.t('oauth.people')}: ${words.number(people)} · ${words.t('oauth.last_use')}: ${used}`
  const link = (what: 'secret' | 'disable' | 'delete', label: string) =>
    linkButtonView({ href: applicationPath(id, what), label, kind: what === 'delete' ? 'danger' : 'secondary' })
  const toggle = disabledAt
    ? postButtonView({ action: applicationPath(id, 'enable'), csrfToken, label: words.t('oauth.enable'), kind: 'secondary' })
    : link('disable', words.t('oauth.disable'))
  return html`${pageHeadView({ title: name, badge: stateView(words, application), facts })}
${applicationFormView({ ...data, isPublic: application.isPublic })}
${cardView({ title: words.t('oauth.endpoints'), body: addressesView(words, clientId, siteUrl) })}
${cardView({ title: words.t(application.isPublic ? 'oauth.danger_public' : 'oauth.danger'), body: html`<div class="button-row">${!application.isPublic && link('secret', words.t('oauth.rotate'))}${toggle}${link('delete', words.t('oauth.delete'))}</div>` })}`
}

function addressesView(words: Words, clientId: string, siteUrl: string): Html {
  return html`${copyView({ words, id: 'client-id', label: words.t('oauth.client_id'), value: clientId })}
${copyView({ words, id: 'discovery', label: words.t('oauth.discovery'), value: `${siteUrl}/.well-known/openid-configuration` })}
${copyView({ words, id: 'authorize-url', label: words.t('oauth.authorize_url'), value: `${siteUrl}/api/oauth/authorize/` })}
${copyView({ words, id: 'token-url', label: words.t('oauth.token_url'), value: `${siteUrl}/api/oauth/token/` })}`
}

/** The only page that shows the secret. Public applications have none. */
export function credentialsView({
  words,
  id,
  name,
  clientId,
  secret,
  siteUrl,
}: {
  words: Words
  id: number
  name: string
  clientId: string
  secret: string | null
  siteUrl: string
}): Html {
  return html`${pageHeadView({ title: words.t('oauth.secret_title', { name }) })}
${cardView({
  body: html`<p>${words.t(secret === null ? 'oauth.secret_none' : 'oauth.secret_once')}</p>${secret !== null && copyView({ words, id: 'client-secret', label: words.t('oauth.client_secret'), value: secret })}${addressesView(words, clientId, siteUrl)}`,
  footer: linkButtonView({
    href: applicationPath(id),
    label: words.t(secret === null ? 'oauth.secret_none_done' : 'oauth.secret_done'),
    kind: 'primary',
  }),
})}`
}
