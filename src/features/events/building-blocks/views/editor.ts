import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { checkboxField, hiddenField, textField } from '#platform/ui/fields.ts'
import {
  buttonView,
  csrfField,
  type FormError,
  fieldsetView,
  formView,
  linkButtonView,
  postButtonView,
} from '#platform/ui/form.ts'
import { errorOf } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { parseCount } from '../rules/draft.ts'
import { type Countable, headCount } from '../rules/head-count.ts'
import { makeOutline } from '../rules/outline.ts'
import type { BlockForm, BuildingBlock } from '../schema.ts'
import { BLOCKS, blockPath, newBlockPath } from './list.ts'
import { outlineView, peopleText } from './outline.ts'
import { partRows, positionRows, type RowsData, requirementRows, stepButton } from './rows.ts'

type Shift = { eventId: number; eventTitle: string; label: string; startTime: Date; endTime: Date }
type NamedShifts = { count: number; named: readonly Shift[] }

export type EditorData = RowsData & {
  csrfToken: string
  action: string
  addPart: string
  version: number
  /** Undefined for a new block. */
  block?: BuildingBlock | undefined
  uses?: { outer: readonly BuildingBlock[]; shifts: NamedShifts; now: Date } | undefined
  /** The state that another request has stored in the meantime. */
  storedNow?: BuildingBlock | undefined
}

export function editorView(data: EditorData): Html {
  const { words, csrfToken, errors, action, draft, block, storedNow } = data
  const title = block?.name ?? words.t(`block.new_${draft.blockType}`)
  const form = formView({
    words,
    csrfToken,
    errors,
    action,
    submit: { label: words.t(block ? 'block.save' : 'block.create'), name: 'step', value: 'save' },
    cancel: { href: BLOCKS },
    extra: stepButton(words.t('block.check'), 'check'),
    attributes: { 'data-live': 'block-count' },
    fields: fieldsView(data),
  })
  return html`${pageHeadView({ title, facts: `${words.t('block.kind')} ${words.t(`block.${draft.blockType}`)}` })}<div class="editor">${form}<div class="editor-aside">${countView(data)}${storedNow && storedView(data, storedNow)}</div></div>${block && html`<div class="editor-rest">${usesView(data)}${moreView(data, block)}</div>`}`
}

function fieldsView(data: EditorData): Html {
  const { words, errors, draft, version } = data
  const name = textField({
    words,
    name: 'name',
    value: draft.name,
    label: words.t('block.name'),
    required: true,
    error: errorOf(errors, 'name'),
    attributes: { maxlength: 255, autofocus: data.focus === 'name' },
  })
  const inside =
    draft.blockType === 'atomic'
      ? fieldsetView({
          legend: words.t('block.positions'),
          help: words.t('block.positions_help'),
          fields: html`${positionRows(data)}${checkboxField({
            words,
            name: 'allow_more',
            checked: draft.allowMore,
            label: words.t('block.allow_more'),
            help: words.t('block.allow_more_help'),
          })}`,
        })
      : fieldsetView({ legend: words.t('block.parts'), help: words.t('block.parts_help'), fields: partRows(data) })
  const conditions = fieldsetView({
    legend: words.t('block.requirements'),
    help: words.t('block.requirements_help'),
    fields: requirementRows(data),
  })
  // The Enter key presses the first button, so it must not change anything.
  const first = html`<button ${attrs({ class: 'sr-only', name: 'step', value: 'check', tabindex: -1, 'aria-hidden': 'true' })}>${words.t('block.check')}</button>`
  return html`${first}${hiddenField('block_type', draft.blockType)}${hiddenField('version', version)}${name}${inside}${conditions}`
}

const outlined = (draft: BlockForm['draft']) => ({
  ...draft,
  requirements: draft.requirements.map((one) => ({ ...one, atLeast: parseCount(one.atLeast) ?? 0 })),
})

/** Updated with every submission, and by a script while typing. */
function countView({ words, draft, blocks, names }: EditorData): Html {
  const isEmpty = !draft.positions.length && !draft.compositions.length && !draft.allowMore
  const count = headCount(draft as Countable, blocks)
  const most = count.max === null ? words.t('block.count_open') : words.t('block.count_most', { count: count.max })
  const text = isEmpty
    ? html`<p class="help">${words.t('block.count_none')}</p>`
    : html`<p class="head-count">${peopleText(words, count)}</p><p>${words.t('block.count_text', { count: count.min })} ${most}</p>`
  const preview = outlineView(words, makeOutline(outlined({ ...draft, name: draft.name || '…' }), blocks), names)
  return html`<div id="block-count" aria-live="polite">${cardView({ title: words.t('block.count_title'), body: text })}${!isEmpty && cardView({ title: words.t('block.preview'), body: preview })}</div>`
}

function storedView({ words, blocks, names }: EditorData, stored: BuildingBlock): Html {
  return cardView({ title: words.t('block.stored_now'), body: outlineView(words, makeOutline(stored, blocks), names) })
}

function usesView({ words, uses }: EditorData): Html | false {
  if (!uses) return false
  const { outer, shifts, now } = uses
  const blocks =
    outer.length > 0 &&
    html`<h3>${words.t('block.where_blocks')}</h3><ul>${outer.map(({ id, name }) => html`<li><a href="${blockPath(id)}">${name}</a></li>`)}</ul>`
  const listed = shifts.count > 0 && html`<h3>${words.t('block.where_shifts')}</h3>${shiftListView(words, shifts, now)}`
  const body = blocks || listed ? html`${blocks}${listed}` : html`<p class="help">${words.t('block.used_nowhere')}</p>`
  return cardView({ title: words.t('block.where'), body })
}

function shiftListView(words: Words, { count, named }: NamedShifts, now: Date): Html {
  const unseen = count - named.length
  return html`<ul class="touched-shifts">${named.map(
    ({ eventId, eventTitle, label, startTime, endTime }) =>
      html`<li><span class="shift-time">${words.span(startTime, endTime, now)}</span> <a href="/events/${eventId}/">${eventTitle}</a>${label && html` · ${label}`}</li>`,
  )}${unseen > 0 && html`<li>${words.t('block.confirm_unseen', { count: unseen })}</li>`}</ul>`
}

function moreView({ words, csrfToken }: EditorData, { id }: BuildingBlock): Html {
  const body = html`<div class="button-row">${postButtonView({
    action: blockPath(id, 'copy'),
    csrfToken,
    label: words.t('block.copy'),
    kind: 'secondary',
    icon: 'copy',
  })}${linkButtonView({ href: newBlockPath('composite', id), label: words.t('block.as_part'), icon: 'blocks' })}${linkButtonView({
    href: blockPath(id, 'delete'),
    label: words.t('block.delete'),
    kind: 'danger',
  })}</div>`
  return cardView({ title: words.t('block.more'), body })
}

export type ConfirmData = {
  words: Words
  csrfToken: string
  action: string
  name: string
  typed: BlockForm['typed']
  shifts: NamedShifts
  seen: readonly number[]
  isAgain: boolean
  now: Date
}

/** Lists the affected shifts. Hidden fields carry the input, so that nothing is lost when going back. */
export function confirmChangeView({ words, csrfToken, action, name, typed, shifts, seen, isAgain, now }: ConfirmData): Html {
  const carried = Object.entries(typed).flatMap(([field, value]) =>
    field === 'step' || field === 'seen' ? [] : [value].flat().map((each) => hiddenField(field, each)),
  )
  return html`${pageHeadView({ title: words.t('block.confirm_title', { name }) })}
${isAgain && html`<p class="tone-warn notice" role="status">${words.t('block.confirm_more')}</p>`}
<p>${words.t('block.confirm_text', { count: shifts.count })}</p>
${shiftListView(words, shifts, now)}
<ul><li>${words.t('block.confirm_people')}</li><li>${words.t('block.confirm_ended')}</li></ul>
<form method="post" action="${action}">${csrfField(csrfToken)}${carried}${hiddenField('seen', seen.join(','))}<div class="form-actions">${buttonView(
    {
      label: words.t('block.confirm_submit', { count: shifts.count }),
      name: 'step',
      value: 'confirm',
    },
  )}${buttonView({ label: words.t('block.confirm_back'), name: 'step', value: 'back', kind: 'quiet' })}</div></form>`
}

export function deleteBlockView({
  words,
  csrfToken,
  errors,
  block,
  uses,
  seen,
}: {
  words: Words
  csrfToken: string
  errors: readonly FormError[]
  block: BuildingBlock
  uses: { outer: readonly BuildingBlock[]; shifts: NamedShifts; now: Date }
  seen: readonly number[]
}): Html {
  const { outer, shifts, now } = uses
  const consequences = [
    shifts.count ? words.t('block.delete_shifts', { count: shifts.count }) : words.t('block.delete_unused'),
    ...(outer.length ? [words.t('block.delete_outer', { list: words.list(outer.map(({ name }) => name)) })] : []),
    ...(shifts.count ? [words.t('block.confirm_ended')] : []),
    words.t('block.delete_final'),
  ]
  return html`${pageHeadView({ title: words.t('block.delete_title', { name: block.name }) })}
<h2>${words.t('ui.consequences')}</h2><ul>${consequences.map((each) => html`<li>${each}</li>`)}</ul>
${shifts.count > 0 && shiftListView(words, shifts, now)}
${formView({
  words,
  csrfToken,
  errors,
  action: blockPath(block.id, 'delete'),
  guard: false,
  fields: hiddenField('seen', seen.join(',')),
  submit: { label: words.t('block.delete_submit'), kind: 'danger' },
  cancel: { href: blockPath(block.id) },
})}`
}
