import type { Words } from '#platform/i18n/words.ts'

export const notifiedText = (words: Words, count: number): string =>
  count ? words.t('plan.notified', { count }) : words.t('plan.notified_none')

/** “Saved. 8 people are notified.” */
export const savedText = (words: Words, { hasChanged, notified }: { hasChanged: boolean; notified: number }): string =>
  hasChanged ? `${words.t('plan.saved')} ${notifiedText(words, notified)}` : words.t('plan.unchanged')
