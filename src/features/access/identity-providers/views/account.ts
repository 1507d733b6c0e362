import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { tableView } from '#platform/ui/table.ts'
import { linkStartPath } from './sign-in.ts'

type IdentityRow = { id: number; label: string; linkedAt: Date; lastUsedAt: Date | null }
type AccountSectionData = {
  words: Words
  csrfToken: string
  now: Date
  identities: readonly IdentityRow[]
  /** Enabled providers that are not linked. */
  others: readonly { id: number; label: string }[]
  hasPassword: boolean
}

/** The ways to sign in besides the password, on the page about the security of the own account. */
export function accountSectionView({ words, csrfToken, now, identities, others, hasPassword }: AccountSectionData): Html {
  const unlink = ({ id, label }: IdentityRow) =>
    postButtonView({
      action: '/settings/security/unlink/',
      csrfToken,
      fields: { identity: id },
      label: words.t('identity.unlink'),
      kind: 'quiet',
      small: true,
      attributes: { 'aria-label': words.t('identity.unlink_of', { label }) },
    })
  const table = tableView<IdentityRow>({
    caption: words.t('identity.linked'),
    rows: identities,
    columns: [
      { label: words.t('identity.provider'), cell: ({ label }) => label, main: true },
      { label: words.t('identity.linked_at'), cell: ({ linkedAt }) => words.date(linkedAt) },
      {
        label: words.t('identity.last_used'),
        cell: ({ lastUsedAt }) => (lastUsedAt ? words.relative(lastUsedAt, now) : words.t('identity.never')),
      },
      ...(hasPassword ? [{ label: words.t('ui.actions'), actions: true, cell: unlink }] : []),
    ],
  })
  const links = others.map(({ id, label }) =>
    linkButtonView({ href: linkStartPath(id), label: words.t('identity.link_with', { label }), icon: 'link' }),
  )
  return cardView({
    title: words.t('identity.linked'),
    body: html`<p class="muted">${words.t('identity.linked_help')}</p>${identities.length > 0 && table}${
      identities.length > 0 && !hasPassword && html`<p class="muted">${words.t('identity.unlink_needs_password')}</p>`
    }`,
    footer: links.length > 0 && html`<div class="button-row">${links}</div>`,
  })
}
