import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { LoggedMark } from '../rules/roster.ts'
import { stateText } from './state.ts'

const TONES: Record<LoggedMark['outcome'], Tone> = {
  applied: 'good',
  agreed: 'quiet',
  conflict: 'warn',
  chosen: 'good',
  dismissed: 'quiet',
}

/** A mark that was received this much later was made without a connection. */
const LATE_MS = 60_000

export function logView({ words, title, marks }: { words: Words; title: string; marks: readonly LoggedMark[] }): Html {
  const late = ({ madeAt, receivedAt }: LoggedMark) =>
    receivedAt.getTime() - madeAt.getTime() > LATE_MS && words.t('check_in.received', { time: words.dateTime(receivedAt) })
  return html`${pageHeadView({ title: words.t('check_in.log'), facts: title })}
${
  marks.length === 0
    ? emptyView({ icon: 'history', text: words.t('check_in.log_empty') })
    : tableView({
        caption: words.t('check_in.log'),
        rows: marks,
        columns: [
          {
            label: words.t('check_in.log_when'),
            cell: (mark) => html`<span>${words.dateTime(mark.madeAt)}${late(mark) && noteView(late(mark))}</span>`,
          },
          { label: words.t('check_in.log_who'), main: true, cell: ({ name, label }) => html`${name}${label && noteView(label)}` },
          { label: words.t('check_in.log_what'), cell: (mark) => stateText(words, mark) },
          {
            label: words.t('check_in.log_by'),
            cell: ({ by, source }) =>
              html`<span>${by ?? words.t('check_in.somebody')}${noteView(words.t(`check_in.source_${source}`))}</span>`,
          },
          {
            label: words.t('check_in.log_result'),
            cell: ({ outcome, resolvedBy }) =>
              html`<span>${badgeView({ tone: TONES[outcome], text: words.t(`check_in.outcome_${outcome}`) })}${resolvedBy && noteView(words.t('check_in.resolved_by', { name: resolvedBy }))}</span>`,
          },
        ],
      })
}`
}

const noteView = (text: string | false): Html => html`<br><span class="muted">${text}</span>`
