import { personPath } from '#features/accounts/people/views/people.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { shownAddress } from '#platform/no-address.ts'
import { cardView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { qrView } from '#platform/ui/qr.ts'

type InvitationData = {
  words: Words
  now: Date
  csrfToken: string
  person: { userId: number; name: string; email: string; username: string | null }
  /** Why there can be no link. */
  refusal: 'signed_in_before' | 'inactive' | 'locked' | 'no_sign_in' | undefined
  /** The link that was just created. It is not shown again. */
  made: { url: string; expiresAt: Date } | undefined
  valid: { expiresAt: Date } | undefined
}

export function invitationView(data: InvitationData): Html {
  const { words, person, refusal, made } = data
  const title = words.t('joining.invitation_title', { name: person.name })
  const body = refusal
    ? html`<p>${words.t(`joining.not_invited_${refusal}`)}</p><p>${linkButtonView({ href: personPath(person.userId), label: person.name })}</p>`
    : made
      ? madeView(data, made)
      : offerView(data)
  return html`${pageHeadView({ title, facts: words.t('joining.invitation_intro', { email: shownAddress(person.email) ?? person.username ?? '' }) })}${cardView({ body })}`
}

function madeView({ words, csrfToken, person }: InvitationData, { url, expiresAt }: { url: string; expiresAt: Date }): Html {
  return html`<div class="invitation"><div>${copyView({ words, id: 'invitation-link', label: words.t('joining.invitation_link'), value: url, help: words.t('joining.invitation_once', { time: words.dateTime(expiresAt) }) })}
<div class="button-row">${linkButtonView({ href: personPath(person.userId), label: words.t('joining.done'), kind: 'primary' })}${revokeView(words, csrfToken, person.userId)}</div></div>
<figure class="qr-figure">${qrView({ text: url, title: words.t('joining.qr') })}<figcaption>${words.t('joining.invitation_qr', { name: person.name })}</figcaption></figure></div>`
}

const revokeView = (words: Words, csrfToken: string, userId: number): Html =>
  postButtonView({
    action: personPath(userId, 'invitation/revoke'),
    csrfToken,
    label: words.t('joining.revoke'),
    kind: 'quiet',
    icon: 'x',
  })

function offerView({ words, csrfToken, person, valid }: InvitationData): Html {
  const create = postButtonView({
    action: personPath(person.userId, 'invitation'),
    csrfToken,
    label: words.t(valid ? 'joining.invitation_again' : 'joining.invitation_create'),
    kind: 'primary',
    icon: 'link',
  })
  return html`<p>${valid ? words.t('joining.invitation_valid', { time: words.dateTime(valid.expiresAt) }) : words.t('joining.invitation_offer')}</p>
<div class="button-row">${create}${valid && revokeView(words, csrfToken, person.userId)}${linkButtonView({ href: personPath(person.userId), label: words.t('ui.cancel'), kind: 'quiet' })}</div>`
}
