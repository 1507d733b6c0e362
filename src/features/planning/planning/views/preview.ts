import type { EventValues } from '#features/events/events/rules/event-fields.ts'
import type { ShiftValues } from '#features/events/events/rules/shift-fields.ts'
import { findEventFacts, findShiftFacts } from '#features/events/events/views/facts.ts'
import { shiftCardView } from '#features/events/events/views/shift-card.ts'
import type { SignupStats } from '#features/staffing/staffing/rules/model.ts'
import { formatBounds, needsView, type ShiftNeeds } from '#features/staffing/staffing/views/needs.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { dotView } from '#platform/ui/colour.ts'
import { iconView } from '#platform/ui/icon.ts'

export type PreviewShift = ShiftValues & {
  /** Undefined while date or times are missing or invalid. */
  times: { meeting: Date; start: Date; end: Date } | undefined
  needs: ShiftNeeds & { teams: readonly { title: string | null; min: number; max: number | null }[] }
  stats: SignupStats
  /** Names of the questions at sign-up. */
  questions: readonly string[]
  /** What a participant can do. */
  signup: { kind: 'ask' | 'sign_up' | 'explained' | 'follows' | 'broken'; text?: string; opens?: Date | null; closes?: Date }
}

export type PreviewData = {
  words: Words
  now: Date
  event: (EventValues & { type: { title: string; color: string } | undefined }) | undefined
  shifts: readonly PreviewShift[]
  readers: { count: number; groups: readonly string[] } | undefined
}

/** What participants will see, from the values entered so far. */
export function previewView(data: PreviewData): Html {
  const { words, event, shifts, readers } = data
  return html`<aside class="plan-preview" id="plan-preview" tabindex="0" aria-label="${words.t('plan.preview')}"><h2 class="plan-preview-head">${iconView('eye', { size: 18 })}${words.t('plan.preview')}</h2>
${event && html`<div class="plan-preview-event"><p class="plan-preview-title">${event.title || words.t('plan.untitled')}</p><p class="facts">${event.location && html`<span class="fact">${iconView('map-pin', { size: 18 })}<span>${event.location}</span></span>`}${event.type && html`<span class="fact">${dotView(event.type.color)}<span>${event.type.title}</span></span>`}${findEventFacts(words, event).map((fact) => html`<span class="fact">${fact}</span>`)}</p>${event.description && markdownView(event.description)}</div>`}
${shifts.length > 0 && html`<ul class="shift-list" role="list">${shifts.map((shift) => html`<li>${cardView(data, shift)}</li>`)}</ul>`}
${readers && html`<p class="side-note plan-readers">${iconView('users', { size: 16 })}<span>${readersText(words, readers)}</span></p>`}</aside>`
}

function readersText(words: Words, { count, groups }: NonNullable<PreviewData['readers']>): string {
  const people = words.t('plan.readers', { count })
  return groups.length ? `${people} ${words.t('plan.readers_of', { groups: words.list(groups) })}` : people
}

function cardView({ words, now }: PreviewData, shift: PreviewShift): Html {
  const { times, label, needs, stats, signup, questions } = shift
  if (!times)
    return html`<div class="plan-untimed">${iconView('calendar-clock', { size: 18 })}<span>${label && html`<b>${label}</b> `}${words.t('plan.untimed')}</span></div>`
  const teams = needs.teams.map((team) => words.t('event.need', { count: formatBounds(words, team), title: team.title ?? '' }))
  return shiftCardView({
    words,
    now,
    shift: {
      level: 3,
      ...times,
      title: label,
      staffing: toStaffing(stats),
      details: html`${findShiftFacts(words, shift, 'card').map((fact) => html`<p class="needs">${fact}</p>`)}${needsView(words, needs)}${teams.length > 0 && html`<p class="needs"><b>${words.t('plan.teams')}:</b> ${teams.join(' · ')}</p>`}${questions.length > 0 && html`<p class="needs"><b>${words.t('plan.asks')}:</b> ${questions.join(' · ')}</p>`}`,
      reason: { text: signupText(words, now, signup) },
    },
  })
}

function signupText(words: Words, now: Date, { kind, text, opens, closes }: PreviewShift['signup']): string {
  if (kind === 'explained') return text || words.t('plan.can.explained')
  if (kind === 'follows' || kind === 'broken') return words.t(`plan.can.${kind}`)
  const moments = [
    opens && opens > now && words.t('plan.opens', { when: words.dateTime(opens) }),
    closes && words.t('plan.closes', { when: words.dateTime(closes) }),
  ].filter(Boolean)
  return [words.t(`plan.can.${kind}`), ...moments].join(' ')
}
