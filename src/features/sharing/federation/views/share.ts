import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxGroup } from '#platform/ui/fields.ts'

type ShareChoice = { guestId: number; name: string }

/** Empty if no organisation is linked. */
export function shareSectionView(data: { words: Words; guests: readonly ShareChoice[]; chosen: readonly number[] }): Html {
  const { words, guests, chosen } = data
  if (!guests.length) return html``
  return checkboxGroup({
    words,
    name: 'share_with',
    values: chosen,
    label: words.t('federation.share_section'),
    help: words.t('federation.share_section_help'),
    options: guests.map(({ guestId, name }) => ({ value: guestId, label: name })),
  })
}
