import { answersText } from '#features/events/questionnaires/views.ts'
import type { Lapse } from '#features/staffing/staffing/rules/lapses.ts'
import { isIn, type ReasonContext, type Skills, type State } from '#features/staffing/staffing/rules/model.ts'
import { withoutPosition } from '#features/staffing/staffing/rules/placement.ts'
import { placeText, seatText, unmatchedText } from '#features/staffing/staffing/views/explanations.ts'
import { otherShiftText, reasonText, warningText } from '#features/staffing/staffing/views/reasons.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { phoneView } from '#platform/ui/contact.ts'
import { whichTimeField } from '#platform/ui/fields.ts'
import { fieldId } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { type BoardCard, isQualifiedFor, type PlaceChoice } from '../rules/board.ts'
import { type CardReason, fieldName, isNew, readTarget, writeBefore, writeTarget } from '../rules/cards.ts'

/** Titles of qualifications in full, and short for badges. */
export type TextContext = ReasonContext & { shortOf: (qualificationId: number) => string }

/** For planners; the texts of the sign-up form address the participant. */
export function cardReasonText(reasonContext: ReasonContext, reason: CardReason): string {
  const { words, titleOf } = reasonContext
  switch (reason.code) {
    case 'type_not_qualified':
      return words.t('board.reason.type_not_qualified', { titles: words.list(reason.missing.map(titleOf)) })
    case 'not_qualified': {
      const [way] = reason.missingAnyOf
      if (!way?.length || reason.missingAnyOf.length > 1) return words.t('board.reason.not_qualified_any')
      return words.t('board.reason.not_qualified', { titles: words.list(way.map(titleOf)) })
    }
    case 'too_young':
    case 'age_unknown':
      return words.t(`board.reason.${reason.code}`, { age: reason.minimumAge })
    case 'conflict':
    case 'partial_conflict': {
      const other = otherShiftText(reasonContext, reason.with)
      return words.t(reason.with.eventTitle === null ? 'board.reason.busy' : 'board.reason.conflict', { other })
    }
    case 'times_skipped':
    case 'times_ambiguous':
      return words.t(reason.code === 'times_skipped' ? 'form.time_skipped' : 'form.time_ambiguous')
    case 'full':
    case 'wish_needed':
    case 'wish_not_offered':
    case 'times_in_wrong_order':
    case 'times_unreadable':
    case 'target_unknown':
    case 'person_unknown':
    case 'account_closed':
    case 'name_empty':
    case 'name_long':
    case 'comment_long':
    case 'reason_needed':
      return words.t(`board.reason.${reason.code}`)
    case 'limit_rest':
    case 'limit_week':
    case 'limit_nights':
    case 'limit_minor_day':
    case 'limit_minor_hour':
    case 'limit_minor_alone':
    case 'added_rule':
      return reasonText(reasonContext, reason)
    default:
      return words.t('board.reason.other')
  }
}

/** The person can be confirmed with a reason. */
export const isReasonNeeded = ({ code }: CardReason): boolean => code === 'reason_needed'

/** What speaks against the person, for planners. */
export const hintTexts = (reasonContext: ReasonContext, { hints, warnings }: Pick<BoardCard, 'hints' | 'warnings'>): string[] => [
  ...hints.map((hint) => cardReasonText(reasonContext, hint)),
  ...warnings.map((warning) => warningText(reasonContext, warning)),
]

function adviceText(reasonContext: ReasonContext, advice: NonNullable<BoardCard['advice']>): string {
  const { words } = reasonContext
  if (advice.code === 'nowhere') return words.t('board.advice.nowhere', { reason: unmatchedText(reasonContext, advice.reason) })
  const place = placeText(reasonContext, advice.seat.placeLabel)
  return words.t('board.advice.seat', { place, why: seatText(reasonContext, advice.seat) })
}

function targetText(reasonContext: ReasonContext, to: string, places: readonly PlaceChoice[]): string {
  const target = readTarget(to)
  if (!target) return ''
  const state = reasonContext.words.t(`board.state.${target.state}`)
  const choice = places.find(({ place }) => place === target.place)
  return choice ? `${state}, ${placeText(reasonContext, choice.label)}` : state
}

export const stateText = (words: Words, state: 0 | 1 | 2 | 3 | 4): string => words.t(`board.state.${state}`)

type PlaceOptions = { places: readonly PlaceChoice[]; isPlaceOptional: boolean }
export type CardContext = TextContext &
  PlaceOptions & {
    shiftId: number
    /** Target of a card that is moved to the confirmed column without choosing a place. */
    confirmTarget: (card: BoardCard) => string
  }

type Option = { value: string; label: string }

/** Targets of a card. State 4 is offered only to keep it. */
export function moveOptionsView(
  around: TextContext & PlaceOptions,
  { to, skills, none }: { to: string; skills: Skills; none?: string | undefined },
): Html {
  const { words, places, isPlaceOptional } = around
  const plain = (state: State): Option => ({ value: writeTarget({ state, place: undefined }), label: stateText(words, state) })
  const option = ({ value, label }: Option) => html`<option ${attrs({ value, selected: value === to })}>${label}</option>`
  const group = (label: string, some: readonly PlaceChoice[]) =>
    some.length > 0 &&
    html`<optgroup label="${label}">${some.map(({ place, label: title }) => option({ value: writeTarget({ state: 1, place }), label: placeText(around, title) }))}</optgroup>`
  const qualified = places.filter((place) => isQualifiedFor(place, skills))
  const auto: Option = { value: writeTarget({ state: 1, place: '' }), label: words.t('board.to.auto') }
  const confirmed = places.length
    ? html`${isPlaceOptional && option(auto)}${to === '1' && option(plain(1))}${group(words.t('board.qualified_for'), qualified)}${group(
        words.t('board.unqualified_for'),
        places.filter((place) => !qualified.includes(place)),
      )}`
    : option(plain(1))
  return html`${none !== undefined && option({ value: '', label: none })}${option(plain(0))}${confirmed}${option(plain(2))}${option(plain(3))}${to === '4' && option(plain(4))}`
}

export function cardView(around: CardContext, card: BoardCard, position: string | null = null): Html {
  const { words, shiftId, confirmTarget } = around
  const { key, name, state, isChanged, stale, reasons, advice } = card
  const fresh = isNew({ ...card, shiftId })
  const field = (of: Parameters<typeof fieldName>[2]) => fieldName(shiftId, key, of)
  const moveId = fieldId(field('to'))
  const classes = ['board-card', 'dispo-card', isChanged && 'changed', stale && 'stale', reasons.length > 0 && 'refused']
  const confirm = state === 1 ? card.to : confirmTarget(card)
  return html`<li class="${classes.filter(Boolean).join(' ')}" id="card-${key}" data-card="${key}" data-name="${name}" data-was="${card.before.to}" data-confirm="${confirm}" ${attrs({ 'data-fresh': fresh })}>
<div class="dispo-head"><span class="dispo-grip" data-grip hidden>${iconView('grip-vertical', { size: 18 })}</span><b class="dispo-name">${name}</b>${position && html`<span class="dispo-position">${position}</span>`}<span class="badge tone-info dispo-unsaved">${words.t(fresh ? 'board.new' : 'board.unsaved')}</span></div>
${card.phone && html`<p class="dispo-phone">${phoneView(card.phone)}</p>`}${badgesView(around, card, card.wish && placeText(around, withoutPosition(card.wish)))}
${card.lapse && lapseView(around, card, card.lapse)}${isIn(state) && card.areTimesOutside && noteView('triangle-alert', 'dispo-hint', words.t('board.times_outside'))}${isIn(state) && !reasons.some(isReasonNeeded) && hintTexts(around, card).map((text) => noteView('triangle-alert', 'dispo-hint', text))}${advice && isNewsTo(card) && noteView('wand-sparkles', 'dispo-advice', adviceText(around, advice))}
${card.answers.length > 0 && noteView('circle-question-mark', 'dispo-answers', answersText(card.answers))}
${commentsView(around, card)}
${stale && staleView(around, card)}
${reasons.map((reason) => noteView('circle-alert', 'field-error', cardReasonText(around, reason)))}
<div class="dispo-foot"><label class="sr-only" for="${moveId}">${words.t('board.move', { name })}</label><select id="${moveId}" name="${field('to')}" data-move>${moveOptionsView(around, card)}</select>${detailsView(around, card)}</div>
<input type="hidden" name="${field('was')}" value="${writeBefore(card.before)}">
${fresh && html`<button class="button quiet small" name="do" value="off ${key}">${iconView('x', { size: 16 })}${words.t('board.remove')}<span class="sr-only">: ${name}</span></button>`}</li>`
}

/** A badge alone would not say that the place counts as missing. */
function lapseView({ words }: TextContext, { key, name }: BoardCard, lapse: Lapse): Html {
  return html`<div class="dispo-lapse">${noteView('triangle-alert', 'field-error', words.t(`board.lapse.${lapse}`))}<button class="button secondary small" name="do" value="keep ${key}">${words.t('board.keep')}<span class="sr-only">: ${name}</span></button></div>`
}

/** Hints already explain why a person fits nowhere. */
const isNewsTo = ({ advice, hints }: BoardCard): boolean => advice?.code === 'seat' || hints.length === 0

function noteView(icon: Parameters<typeof iconView>[0], kind: string, text: string): Html {
  return html`<p class="dispo-note ${kind}">${iconView(icon, { size: 14 })}<span>${text}</span></p>`
}

export function badgesView(
  { words, titleOf, shortOf }: TextContext,
  card: Pick<BoardCard, 'held' | 'expiring' | 'isMinor' | 'who'> & Partial<Pick<BoardCard, 'hasOwnTimes' | 'span' | 'broughtBy'>>,
  wish?: string,
): Html | false {
  const kind = 'placeholder' in card.who ? 'placeholder' : card.who.kind
  const badges = [
    ...card.held.map((id) => html`<abbr class="badge tone-quiet" title="${titleOf(id)}">${shortOf(id)}</abbr>`),
    ...(card.isMinor ? [badgeView({ tone: 'warn', text: words.t('board.minor') })] : []),
    ...(kind === 'local' ? [] : [badgeView({ tone: 'info', text: words.t(`board.${kind}`) })]),
    ...(card.broughtBy
      ? [badgeView({ tone: 'quiet', icon: 'users', text: words.t('board.brought_by', { name: card.broughtBy }) })]
      : []),
    ...card.expiring.map((id) => badgeView({ tone: 'warn', text: words.t('board.expires', { title: shortOf(id) }) })),
    ...(card.hasOwnTimes && card.span
      ? [
          badgeView({
            tone: 'info',
            icon: 'clock',
            text: words.t('board.own_times', { times: words.hours(card.span.start, card.span.end, card.span.start) }),
          }),
        ]
      : []),
    ...(wish ? [badgeView({ tone: 'quiet', icon: 'star', text: words.t('board.wish', { place: wish }) })] : []),
  ]
  return badges.length > 0 && html`<div class="dispo-badges">${badges}</div>`
}

/** The last comment; earlier ones are collapsed. */
function commentsView({ words }: TextContext, { comments }: BoardCard): Html | false {
  const last = comments.at(-1)
  if (!last) return false
  const line = ({ author, text, level }: typeof last) =>
    html`<p class="dispo-comment">${words.t('board.comment_of', { author, text })}${level === 0 && html` <small>(${words.t('board.comment_hidden')})</small>`}</p>`
  const earlier = comments.slice(0, -1)
  return html`${earlier.length > 0 && html`<details class="dispo-earlier"><summary>${iconView('message-square-text', { size: 14 })}${words.t('board.earlier', { count: earlier.length })}</summary>${earlier.map(line)}</details>`}${line(last)}`
}

function staleView(around: CardContext, card: BoardCard): Html {
  const { words, now } = around
  const { key, name, stale } = card
  const { now: there, by, isOwn, at } = stale!
  const when = at && words.relative(at, now)
  const who =
    when && isOwn
      ? words.t('board.stale_own', { name, when })
      : when && by
        ? words.t('board.stale_by', { name: by, when })
        : words.t('board.stale')
  const times = (span: BoardCard['span'], hasOwn: boolean) =>
    hasOwn ? ` · ${words.hours(span.start, span.end, span.start)}` : ''
  const place = there?.place ? `, ${placeText(around, there.place)}` : ''
  const then = there
    ? `${stateText(words, there.state)}${place}${times(there.span, there.hasOwnTimes)}`
    : words.t('board.stale_gone')
  return html`<div class="dispo-stale" role="group" aria-label="${who}"><p><b>${who}</b></p>
<dl><div><dt>${words.t('board.yours')}</dt><dd>${targetText(around, card.to, around.places)}${times(card.span, card.hasOwnTimes)}${card.comment && html` · ${words.t('board.quoted', { text: card.comment })}`}</dd></div><div><dt>${words.t('board.now')}</dt><dd>${then}</dd></div></dl>
<div class="cluster"><button class="button secondary small" name="do" value="mine ${key}">${words.t('board.keep_mine')}<span class="sr-only">: ${name}</span></button><button class="button secondary small" name="do" value="theirs ${key}">${words.t('board.take_theirs')}<span class="sr-only">: ${name}</span></button></div></div>`
}

function detailsView({ words, shiftId }: CardContext, card: BoardCard): Html {
  const { key, name, start, end, before, comment, isHidden, reasons } = card
  const input = (of: 'start' | 'end' | 'comment', type: string, label: string, value: string) => {
    const id = fieldId(fieldName(shiftId, key, of))
    return html`<div class="field"><label for="${id}">${label}</label><input ${attrs({ id, type, value, name: fieldName(shiftId, key, of), maxlength: of === 'comment' && 255 })}></div>`
  }
  const isAsked = reasons.some(({ code }) => code === 'times_ambiguous')
  const which = (of: 'start' | 'end') =>
    (isAsked || card.which[of]) && whichTimeField({ words, name: fieldName(shiftId, key, `${of}_which`), value: card.which[of] })
  const hiddenId = fieldId(fieldName(shiftId, key, 'hidden'))
  const isOpen =
    comment !== '' ||
    start !== before.start ||
    end !== before.end ||
    reasons.some(({ code }) => /times|comment|reason_needed/.test(code))
  return html`<details class="dispo-details" data-details="${key}" ${attrs({ open: isOpen })}><summary class="button quiet small">${iconView('sliders-horizontal', { size: 16 })}<span class="sr-only">${words.t('board.details', { name })}</span></summary>
<div class="dispo-fields">${input('start', 'datetime-local', words.t('board.from'), start)}${which('start')}${input('end', 'datetime-local', words.t('board.until'), end)}${which('end')}${input('comment', 'text', words.t(reasons.some(isReasonNeeded) ? 'board.override_reason' : 'board.comment'), comment)}
<label class="choice" for="${hiddenId}"><input ${attrs({ id: hiddenId, type: 'checkbox', name: fieldName(shiftId, key, 'hidden'), checked: isHidden })}><span>${words.t('board.hide')}</span></label></div></details>`
}
