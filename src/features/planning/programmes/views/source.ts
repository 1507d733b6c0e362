import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { MAX_SESSIONS } from '../formats/programme-file.ts'
import { MAX_PROGRAMME_BYTES, sourceForm } from '../schema.ts'
import { SIZE_MB } from './faults.ts'

export const programmePath = (eventId: number, what?: 'source' | 'options' | 'fetch' | 'undo' | 'remove'): string =>
  `/events/${eventId}/programme/${what ? `${what}/` : ''}`

type SourceData = {
  words: Words
  csrfToken: string
  eventId: number
  back: string
  state: FormState
  title: string
}

export function sourceView({ words, csrfToken, eventId, back, state, title }: SourceData): Html {
  const form = sourceForm.view({
    words,
    action: programmePath(eventId, 'source'),
    csrfToken,
    state,
    submit: { label: words.t('programme.read'), icon: 'upload' },
    cancel: { href: back },
    attributes: { enctype: 'multipart/form-data' },
    layout: (field) => [
      field('file', {
        help: words.t('programme.file_help', { size: SIZE_MB, count: MAX_SESSIONS }),
        sizeLimit: { maxBytes: MAX_PROGRAMME_BYTES, message: words.t('programme.file_too_big', { size: SIZE_MB }) },
      }),
      field('url', { attributes: { inputmode: 'url', maxlength: 2000, autocomplete: 'off' } }),
    ],
  })
  return html`${pageHeadView({ title, facts: words.t('programme.intro') })}
<div class="stack">${form}${cardView({ body: html`<p>${words.t('programme.formats')}</p><p>${words.t('programme.speakers')}</p>` })}</div>`
}
