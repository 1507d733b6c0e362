import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxField, checkboxGroup, hiddenField, numberField, radioGroup, textField } from '#platform/ui/fields.ts'
import { buttonView, type FormError, fieldId } from '#platform/ui/form.ts'
import { errorOf } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import type { BlockForm, BuildingBlock } from '../schema.ts'
import { type Names, shortNames } from './outline.ts'

export type RowsData = {
  words: Words
  errors: readonly FormError[]
  draft: BlockForm['draft']
  blocks: ReadonlyMap<number, BuildingBlock>
  names: Names
  /** The field to focus: of the row that was just added. */
  focus?: string | undefined
}

export const stepButton = (
  label: string,
  step: string,
  more: { kind?: 'secondary' | 'quiet'; icon?: 'plus' | 'trash-2' } = {},
): Html =>
  buttonView({
    label,
    name: 'step',
    value: step,
    kind: more.kind ?? 'secondary',
    icon: more.icon,
    small: true,
    // The error summary links to it.
    attributes: step.startsWith('add_') ? { id: fieldId(step) } : {},
  })

const removeButton = (words: Words, kind: 'position' | 'part' | 'requirement', index: number): Html =>
  stepButton(words.t(`block.remove_${kind}`, { number: index + 1 }), `remove.${kind}.${index}`, {
    kind: 'quiet',
    icon: 'trash-2',
  })

/** Shows the selection when closed and checkboxes when open. */
function chooser({ words, errors, names }: RowsData, name: string, chosen: readonly number[]): Html {
  const list = words.list(shortNames(names, chosen))
  const error = errorOf(errors, name)
  const summary = list ? words.t('block.qualifications_chosen', { list }) : words.t('block.qualifications_none')
  const boxes = checkboxGroup({
    words,
    name,
    error,
    label: words.t('block.qualifications'),
    values: chosen,
    options: [...names].map(([id, { title }]) => ({ value: id, label: title })),
  })
  if (!names.size) return html`<p class="help">${summary}</p>`
  return error
    ? html`<details class="chooser" open><summary>${iconView('chevron-down', { size: 18 })}<span>${summary}</span></summary>${boxes}</details>`
    : html`<details class="chooser"><summary>${iconView('chevron-down', { size: 18 })}<span>${summary}</span></summary>${boxes}</details>`
}

function rowView(legend: string, body: Html): Html {
  return html`<li class="block-row"><fieldset><legend class="row-legend">${legend}</legend>${body}</fieldset></li>`
}

const focused = (focus: string | undefined, name: string) => (focus === name ? { autofocus: true } : {})

export function positionRows(data: RowsData): Html {
  const { words, errors, draft, focus } = data
  const rows = draft.positions.map(({ id, label, optional, qualificationIds }, index) => {
    const field = (name: string) => `position.${index}.${name}`
    return rowView(
      words.t('block.position', { number: index + 1 }),
      html`${hiddenField(field('id'), id ?? '')}<div class="row-line">${textField({
        words,
        name: field('label'),
        value: label,
        error: errorOf(errors, field('label')),
        label: words.t('block.label'),
        attributes: { maxlength: 255, ...focused(focus, field('label')) },
      })}${checkboxField({ words, name: field('optional'), checked: optional, label: words.t('block.optional') })}</div>${chooser(data, field('qualifications'), qualificationIds)}${removeButton(words, 'position', index)}`,
    )
  })
  return html`${rows.length > 0 && html`<ol class="block-rows">${rows}</ol>`}${stepButton(words.t('block.add_position'), 'add_position', { icon: 'plus' })}`
}

export function partRows({ words, errors, draft, blocks, focus, addPart }: RowsData & { addPart: string }): Html {
  const rows = draft.compositions.map(({ id, subBlockId, label, optional }, index) => {
    const field = (name: string) => `part.${index}.${name}`
    const name = blocks.get(subBlockId)?.name ?? words.t('block.part_gone')
    return rowView(
      words.t('block.part', { number: index + 1, name }),
      html`${hiddenField(field('id'), id ?? '')}${hiddenField(field('block'), subBlockId)}<div class="row-line">${textField({
        words,
        name: field('label'),
        value: label,
        error: errorOf(errors, field('label')),
        label: words.t('block.label'),
        help: words.t('block.label_help_part'),
        attributes: { maxlength: 255, ...focused(focus, field('label')) },
      })}${checkboxField({ words, name: field('optional'), checked: optional, label: words.t('block.optional') })}</div>${removeButton(words, 'part', index)}`,
    )
  })
  return html`${rows.length > 0 && html`<ol class="block-rows">${rows}</ol>`}<div class="row-line row-add">${textField({
    words,
    name: 'add_part',
    value: addPart,
    error: errorOf(errors, 'add_part'),
    label: words.t('block.add_part'),
    attributes: { list: 'block-names', autocomplete: 'off' },
  })}<datalist id="block-names">${partNames(blocks).map((name) => html`<option value="${name}"></option>`)}</datalist>${buttonView(
    {
      label: words.t('block.add_part_submit'),
      name: 'step',
      value: 'add_part',
      kind: 'secondary',
      icon: 'plus',
    },
  )}</div>`
}

/** Adds the id to names that are not unique. */
function partNames(blocks: ReadonlyMap<number, BuildingBlock>): string[] {
  const seen = new Map<string, number>()
  for (const { name } of blocks.values()) seen.set(name, (seen.get(name) ?? 0) + 1)
  return [...blocks.values()].map(({ id, name }) => (seen.get(name)! > 1 ? `${name} #${id}` : name)).sort()
}

export function requirementRows(data: RowsData): Html {
  const { words, errors, draft, focus } = data
  const rows = draft.requirements.map(({ id, everyone, atLeast, qualificationIds }, index) => {
    const field = (name: string) => `requirement.${index}.${name}`
    return rowView(
      words.t('block.requirement', { number: index + 1 }),
      html`${hiddenField(field('id'), id ?? '')}<div class="row-line">${radioGroup({
        words,
        name: field('kind'),
        value: everyone ? 'everyone' : 'at_least',
        label: words.t('block.requirement_kind'),
        options: [
          { value: 'everyone', label: words.t('block.everyone') },
          { value: 'at_least', label: words.t('block.at_least') },
        ],
      })}${numberField({
        words,
        name: field('at_least'),
        value: everyone && atLeast === '0' ? '' : atLeast,
        min: 1,
        label: words.t('block.at_least_number'),
        error: errorOf(errors, field('at_least')),
        attributes: focused(focus, field('at_least')),
      })}</div>${chooser(data, field('qualifications'), qualificationIds)}${removeButton(words, 'requirement', index)}`,
    )
  })
  return html`${rows.length > 0 && html`<ol class="block-rows">${rows}</ol>`}${stepButton(words.t('block.add_requirement'), 'add_requirement', { icon: 'plus' })}`
}
