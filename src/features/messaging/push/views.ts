import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { buttonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'

export const PUSH_PATH = '/settings/notifications/push/'
const PUSH_BUTTON = { type: 'button', 'data-push-on': true }

type PushDeviceRow = { id: number; name: string; createdAt: Date; isThis: boolean }

/** The script shows the part that fits the browser: `on`, `off`, `denied`, or `unsupported`. */
export function pushCardView({
  words,
  now,
  csrfToken,
  devices,
}: {
  words: Words
  now: Date
  csrfToken: string
  devices: readonly PushDeviceRow[]
}): Html {
  const list =
    devices.length > 0 &&
    html`<h3>${words.t('push.devices')}</h3><ul class="push-devices" role="list">${devices.map(
      ({ id, name, createdAt, isThis }) =>
        html`<li><div><p>${name}${isThis && html` <span class="muted">(${words.t('push.this')})</span>`}</p><p class="muted">${words.t('push.since', { when: words.relative(createdAt, now) })}</p></div>${postButtonView(
          { action: `${PUSH_PATH}${id}/remove/`, csrfToken, label: words.t('push.remove'), kind: 'quiet', icon: 'x' },
        )}</li>`,
    )}</ul>${postButtonView({ action: `${PUSH_PATH}test/`, csrfToken, label: words.t('push.test'), kind: 'secondary', icon: 'send' })}`
  return cardView({
    title: words.t('push.title'),
    body: html`<div id="push" data-push>
<p class="muted">${words.t('push.intro')}</p>
<noscript><p>${words.t('push.no_script')}</p></noscript>
<p data-push-state="unsupported" hidden>${iconView('info', { size: 18 })} ${words.t('push.unsupported')}</p>
<p data-push-state="denied" hidden>${iconView('triangle-alert', { size: 18 })} ${words.t('push.denied')}</p>
<p data-push-state="failed" hidden>${iconView('triangle-alert', { size: 18 })} ${words.t('push.failed')}</p>
<p data-push-state="on" hidden>${iconView('circle-check', { size: 18 })} ${words.t('push.on')}</p>
<div data-push-state="off" hidden>${buttonView({ label: words.t('push.turn_on'), icon: 'bell', attributes: PUSH_BUTTON })}</div>
${list}</div>`,
  })
}

/** Offered on the start page to people with coming shifts; the script shows it where it makes sense, and remembers “Not now”. */
export const pushOfferView = (words: Words): Html =>
  html`<p class="push-offer" data-push-offer hidden>${iconView('bell', { size: 18 })}${buttonView({ label: words.t('push.offer'), kind: 'quiet', small: true, attributes: PUSH_BUTTON })}<button class="button quiet icon-only" type="button" data-push-later title="${words.t('push.not_now')}">${iconView('x', { size: 18 })}<span class="sr-only">${words.t('push.not_now')}</span></button></p>`
