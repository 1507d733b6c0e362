import { KINDS } from '#features/sharing/change-feed/rules/kinds.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { tableView } from '#platform/ui/table.ts'
import type { Delivery } from '../rules/deliveries.ts'
import { isDeliveryError } from '../rules/retries.ts'

type LogData = {
  words: Words
  now: Date
  csrfToken: string
  deliveries: readonly Delivery[]
  older: string | undefined
  /** Undefined: the reader may not send again. */
  resendPath: ((id: number) => string) | undefined
}

const STATES = { waiting: 'warn', delivered: 'good', failed: 'bad', skipped: 'quiet', refused: 'bad' } as const satisfies Record<
  string,
  Tone
>
type State = keyof typeof STATES

export function logView(data: LogData): Html {
  const { words, deliveries, older } = data
  const heading = html`<h2>${words.t('webhooks.log')}</h2>`
  if (!deliveries.length)
    return html`<section class="stack">${heading}<p class="muted">${words.t('webhooks.log_none')}</p></section>`
  return html`<section class="stack">${heading}<p class="muted">${words.t('webhooks.log_help')}</p>${logTable(data)}
${older && html`<p>${linkButtonView({ href: older, label: words.t('webhooks.log_older'), kind: 'secondary' })}</p>`}</section>`
}

function logTable({ words, csrfToken, deliveries, resendPath }: LogData): Html {
  return tableView<Delivery>({
    caption: words.t('webhooks.log'),
    rows: deliveries,
    columns: [
      { label: words.t('webhooks.delivery'), cell: (delivery) => messageText(words, delivery), main: true },
      { label: words.t('webhooks.result'), cell: (delivery) => resultView(words, delivery) },
      {
        label: words.t('webhooks.sent_at'),
        cell: ({ attemptedAt, createdAt }) => words.dateTime(attemptedAt ?? createdAt),
        numeric: true,
      },
      ...(resendPath
        ? [
            {
              label: words.t('ui.actions'),
              actions: true,
              cell: (delivery: Delivery) =>
                !delivery.isAsked &&
                postButtonView({
                  action: resendPath(delivery.id),
                  csrfToken,
                  id: `resend-${delivery.id}`,
                  label: words.t('webhooks.resend'),
                  kind: 'quiet',
                  small: true,
                  attributes: { 'aria-label': `${words.t('webhooks.resend')}: ${messageText(words, delivery)}` },
                }),
            },
          ]
        : []),
    ],
  })
}

const WHAT = ['created', 'visible', 'updated', 'gone'] as const

function messageText(words: Words, { kind, recordId, what }: Delivery): string {
  if (kind === 'test') return words.t('webhooks.record_test')
  const known = KINDS.find((each) => each === kind)
  const happened = WHAT.find((each) => each === what)
  return words.t('webhooks.message', {
    kind: known ? words.t(`webhooks.record_${known}`) : kind,
    id: String(recordId),
    what: happened ? words.t(`webhooks.what_${happened}`) : what,
  })
}

function resultView(words: Words, delivery: Delivery): Html {
  const { attempts } = delivery
  const state: State = delivery.isAsked ? 'waiting' : (delivery.state as State)
  const count = attempts === 1 ? words.t('webhooks.attempts_one') : words.t('webhooks.attempts_many', { count: String(attempts) })
  const details = [attempts > 0 && count, explain(words, delivery)].filter(Boolean).join(' · ')
  return html`<span class="cluster">${badgeView({ tone: STATES[state], text: words.t(`webhooks.${state}`) })}<span class="muted">${details}</span></span>`
}

/** What the last attempt came to, in plain words. */
function explain(words: Words, { state, status, error, durationMs }: Delivery): string {
  if (state === 'skipped') return words.t('webhooks.error_skipped')
  if (error !== null) return isDeliveryError(error) ? words.t(`webhooks.error_${error}`) : error
  if (status === null) return ''
  const answer = words.t('webhooks.answer_status', { status: String(status), ms: String(durationMs ?? 0) })
  return status >= 300 && status < 400 ? `${answer}. ${words.t('webhooks.error_redirect')}` : answer
}
