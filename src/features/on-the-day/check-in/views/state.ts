import type { Html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import type { Attendance } from '../rules/attendance.ts'

/** none: nothing is known yet. */
export type StateName = 'none' | 'there' | 'gone' | 'no_show'

export function stateOf({ arrivedAt, leftAt, noShow }: Attendance): StateName {
  if (noShow) return 'no_show'
  if (leftAt) return 'gone'
  return arrivedAt ? 'there' : 'none'
}

export const TONES: Record<StateName, Tone> = { none: 'quiet', there: 'good', gone: 'info', no_show: 'bad' }

export function stateText(words: Words, attendance: Attendance): string {
  const { arrivedAt, leftAt } = attendance
  switch (stateOf(attendance)) {
    case 'there':
      return words.t('check_in.there_since', { time: words.time(arrivedAt!) })
    case 'gone':
      return arrivedAt
        ? words.t('check_in.from_to', { from: words.time(arrivedAt), to: words.time(leftAt!) })
        : words.t('check_in.left_at', { time: words.time(leftAt!) })
    case 'no_show':
      return words.t('check_in.no_show')
    case 'none':
      return words.t('check_in.not_there')
  }
}

export const stateView = (words: Words, attendance: Attendance): Html =>
  badgeView({ tone: TONES[stateOf(attendance)], text: stateText(words, attendance) })
