import { MAX_AGE } from '#features/events/events/rules/count-limits.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxGroup, hiddenField } from '#platform/ui/fields.ts'
import { fieldRowView } from '#platform/ui/form.ts'
import { errorOf, fieldValue, fieldValues } from '#platform/ui/form-values.ts'
import { findRows } from '../rules/form-rows.ts'
import type { RowStructure } from '../rules/structure-checks.ts'
import { ROW_LETTERS } from '../rules/structure-form.ts'
import { changeView, makeFields, moreView, panelView, type ShiftFormData, stepView } from './fields.ts'

const STRUCTURES = ['uniform', 'named_teams', 'qualification_mix', 'complex'] as const
type StructureSlug = (typeof STRUCTURES)[number]
const isKnown = (slug: string): slug is StructureSlug => (STRUCTURES as readonly string[]).includes(slug)

export const structureName = (words: Words, slug: string): string =>
  isKnown(slug) ? words.t(`plan.structure.${slug}`) : words.t('plan.unknown', { slug })

export function structureView(data: ShiftFormData, at: string): Html {
  const { words, values, choices } = data
  const { select } = makeFields(data)
  const of = `${at}structure`
  const chosen = fieldValue(values, of)
  const panel = (slug: StructureSlug, body: Html) => panelView({ of, when: [slug], isShown: chosen === slug, body })
  const options = choices.structures.map((slug) => ({ value: slug, label: structureName(words, slug) }))
  return html`<div class="plan-need"><div class="plan-choice">${select(of, words.t('plan.structure'), options)}${changeView(words)}</div>
${panel('uniform', countsView(data, at))}</div>
${panel('uniform', requiredView(data, at))}
${panel('named_teams', rowsView(data, at, 'named_teams'))}
${panel('qualification_mix', rowsView(data, at, 'qualification_mix'))}
${panel('complex', rowsView(data, at, 'complex'))}`
}

export function ageView(data: ShiftFormData, at: string): Html {
  const { words, values } = data
  return panelView({
    of: `${at}structure`,
    when: STRUCTURES,
    isShown: isKnown(fieldValue(values, `${at}structure`)),
    body: html`<div class="plan-age">${makeFields(data).number(`${at}age`, words.t('plan.age'), { min: 0, max: MAX_AGE, help: words.t('plan.age_help') })}</div>`,
  })
}

function countsView(data: ShiftFormData, at: string): Html {
  const { words } = data
  const { number } = makeFields(data)
  return fieldRowView(
    number(`${at}min`, words.t('plan.min'), { min: 0, help: words.t('plan.min_help') }),
    number(`${at}max`, words.t('plan.max'), { min: 1, help: words.t('plan.max_help') }),
  )
}

/** Of everybody, if a number of people is needed. */
function requiredView(data: ShiftFormData, at: string): Html {
  const { words, values, choices, errors } = data
  const name = `${at}quals`
  const chosen = fieldValues(values, name)
  const known = new Set(choices.qualifications.map(({ value }) => String(value)))
  // Show deleted qualifications that the shift still requires, so that they can be removed.
  const lost = chosen.filter((id) => !known.has(id)).map((id) => ({ value: id, label: words.t('plan.unknown', { slug: id }) }))
  const title = chosen.length ? words.t('plan.quals_count', { count: chosen.length }) : words.t('plan.quals')
  return html`${
    choices.qualifications.length + lost.length > 0 &&
    moreView({
      title,
      isOpen: chosen.length > 0,
      body: html`<div class="plan-scroll">${checkboxGroup({
        words,
        name,
        label: words.t('plan.quals_all'),
        values: chosen,
        options: [...choices.qualifications, ...lost],
        error: errorOf(errors, name),
      })}</div>`,
    })
  }`
}

/** Rows of teams, requirements or units. */
function rowsView(data: ShiftFormData, at: string, slug: RowStructure): Html {
  const { words, values } = data
  const { check } = makeFields(data)
  const letter = ROW_LETTERS[slug]
  const rows = findRows(values, `${at}${letter}`)
  const chooser = { named_teams: `${at}choose_team`, complex: `${at}choose_unit`, qualification_mix: undefined }[slug]
  return html`<p class="help">${words.t(`plan.about.${slug}`)}</p>
<ol class="plan-rows" role="list">${rows.map((row, index) => html`<li class="plan-row">${rowView(data, `${at}${letter}${row}`, slug, index + 1)}</li>`)}</ol>
<div class="plan-row-foot">${stepView({ label: words.t(`plan.add.${slug}`), step: `add:${at}${letter}`, icon: 'plus' })}</div>
${chooser !== undefined && check(chooser, words.t(slug === 'complex' ? 'plan.choose_unit' : 'plan.choose_team'))}`
}

function rowView(data: ShiftFormData, row: string, slug: RowStructure, number: number): Html {
  const { words, values, choices } = data
  const fields = makeFields(data)
  const keep = (name: string) =>
    fieldValue(values, `${row}-${name}`) && hiddenField(`${row}-${name}`, fieldValue(values, `${row}-${name}`))
  const hidden = html`${hiddenField(`${row}-on`, '1')}${keep('uuid')}${keep('old')}`
  const drop = stepView({
    label: words.t('plan.drop'),
    step: `drop:${row}`,
    icon: 'x',
    kind: 'quiet',
    name: words.t('plan.do_named', { action: words.t('plan.drop'), what: words.t(`plan.row.${slug}`, { number }) }),
  })
  if (slug === 'complex')
    return html`${hidden}<div class="field-row">${fields.select(`${row}-block`, words.t('plan.block'), choices.blocks, { placeholder: words.t('ui.choose') })}${fields.text(`${row}-label`, words.t('plan.block_label'))}</div><div class="plan-row-end">${fields.check(`${row}-optional`, words.t('plan.optional'))}${drop}</div>`
  const qualification = fields.select(...([`${row}-qual`, words.t('plan.qualification'), choices.qualifications] as const), {
    placeholder: words.t('plan.anybody'),
  })
  const bounds = html`<div class="field-row plan-bounds">${fields.number(`${row}-min`, words.t('plan.min'), { min: 0 })}${fields.number(`${row}-max`, words.t('plan.max'), { min: 1 })}</div>`
  const first =
    slug === 'named_teams'
      ? html`<div class="field-row">${fields.text(`${row}-title`, words.t('plan.team'), { required: true })}${qualification}</div>`
      : qualification
  return html`${hidden}${first}<div class="plan-row-end">${bounds}${drop}</div>`
}
