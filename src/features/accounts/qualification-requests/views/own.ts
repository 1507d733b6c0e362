import type { RequestDescription } from '#features/accounts/requests/access.ts'
import type { RequestState } from '#features/accounts/requests/rules.ts'
import { proofLinkView, requestStateView } from '#features/accounts/requests/views.ts'
import { heldQualificationsView } from '#features/accounts/users/views/profile.ts'
import { acceptedTypes } from '#platform/files/file-types.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { askForm, MAX_PROOF_BYTES, PROOF_PICTURE, PROOF_TYPES } from '../schema.ts'

export const OWN = '/settings/qualifications/'
export const ASK = `${OWN}request/`
const withdrawPath = (id: number): string => `${OWN}requests/${id}/withdraw/`

type OwnRequest = RequestDescription & { id: number; state: RequestState; comment: string; createdAt: Date }
type OwnData = {
  words: Words
  now: Date
  csrfToken: string
  held: readonly { title: string; category: string; expiresAt: Date | null }[]
  requests: readonly OwnRequest[]
}

export function ownQualificationsView(data: OwnData): Html {
  const { words, now, held, requests } = data
  const ask = linkButtonView({ href: ASK, label: words.t('qualreq.ask'), icon: 'plus', kind: 'primary' })
  const list = held.length
    ? html`${heldQualificationsView(words, now, held)}<p>${ask}</p>`
    : emptyView({ icon: 'award', text: words.t('qualreq.none_held'), action: ask })
  return html`<div class="stack">${cardView({ title: words.t('settings.qualifications'), body: list })}
${requests.length > 0 && cardView({ title: words.t('qualreq.own_requests'), body: requestsView(data) })}</div>`
}

function requestsView({ words, now, csrfToken, requests }: OwnData): Html {
  return html`<ul class="requests" role="list">${requests.map(
    ({ id, state, text, link, comment, createdAt }) =>
      html`<li class="request" id="request-${id}" data-row><div class="request-about"><p class="wrap">${text} ${requestStateView(words, state)}</p>${link && proofLinkView(link)}${comment && html`<p class="muted wrap">${words.t('requests.comment_is', { comment })}</p>`}<p class="muted">${words.t('requests.asked', { when: words.relative(createdAt, now) })}</p></div>${
        state === 'open' &&
        postButtonView({
          action: withdrawPath(id),
          csrfToken,
          id: `withdraw-${id}`,
          label: words.t('qualreq.withdraw'),
          kind: 'quiet',
          icon: 'x',
        })
      }</li>`,
  )}</ul>`
}

type AskData = {
  words: Words
  csrfToken: string
  today: string
  state: FormState
  qualifications: readonly { id: number; name: string; category: string }[]
}

export function askView({ words, csrfToken, today, state, qualifications }: AskData): Html {
  const form = askForm.view({
    words,
    csrfToken,
    action: ASK,
    attributes: { enctype: 'multipart/form-data' },
    state,
    submit: words.t('qualreq.ask_submit'),
    cancel: { href: OWN },
    layout: (field) => [
      field('qualification', {
        options: qualifications.map(({ id, name, category }) => ({ value: id, label: `${name} (${category})` })),
      }),
      field('acquired', { max: today }),
      field('expires', { min: today }),
      field('proof', {
        attributes: { accept: acceptedTypes(PROOF_TYPES), 'data-max-side': PROOF_PICTURE.maxSide },
        sizeLimit: { maxBytes: MAX_PROOF_BYTES, message: words.t('qualreq.proof_large') },
      }),
      field('note'),
    ],
  })
  return html`${pageHeadView({ title: words.t('qualreq.ask'), facts: words.t('qualreq.ask_intro') })}${form}`
}
