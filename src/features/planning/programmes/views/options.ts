import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { formatShiftName } from '#features/planning/planning/views/editor.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { fieldRowView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { Facet, ProgrammeOptions } from '../rules/options.ts'
import { optionsForm } from '../schema.ts'
import { programmePath } from './source.ts'

/** Stands for sessions without a room, track or type: an empty value of a checkbox could not be told from none. */
const NO_NAME = '–'
const toValue = (name: string): string => name || NO_NAME
export const toName = (value: string): string => (value === NO_NAME ? '' : value)

export type Names = { facet: Facet; names: { name: string; count: number }[] }

export function optionsState(options: ProgrammeOptions, names: readonly Names[], isAutomatic: boolean): FormState {
  const chosen = (facet: Facet) =>
    (options[facet] ?? names.find((each) => each.facet === facet)?.names.map(({ name }) => name) ?? []).map(toValue)
  return optionsForm.state({
    room: chosen('room'),
    track: chosen('track'),
    type: chosen('type'),
    split: options.split,
    gap: options.gap,
    lead: options.lead,
    follow_up: options.followUp,
    label: options.label,
    from: options.from,
    until: options.until,
    pattern: options.pattern,
    automatic: isAutomatic,
  })
}

type OptionsData = {
  words: Words
  csrfToken: string
  eventId: number
  state: FormState
  /** Only those with a choice. */
  names: readonly Names[]
  shifts: readonly PlannedShift[]
  hasAddress: boolean
}

const PLACEHOLDERS = { title: '{title}', room: '{room}', track: '{track}', type: '{type}' }

export function optionsView({ words, csrfToken, eventId, state, names, shifts, hasAddress }: OptionsData): Html {
  const form = optionsForm.view({
    words,
    action: programmePath(eventId, 'options'),
    csrfToken,
    state,
    submit: words.t('programme.save'),
    cancel: { href: programmePath(eventId) },
    layout: (field) => [
      names.map((each) =>
        field(each.facet, {
          options: each.names.map(({ name, count }) => ({
            value: toValue(name),
            label: words.t('programme.name_count', { name: name || words.t('programme.name_none'), count }),
          })),
        }),
      ),
      field('split'),
      field('gap'),
      fieldRowView(field('lead'), field('follow_up')),
      field('label', { help: words.t('programme.label_help', PLACEHOLDERS) }),
      fieldRowView(field('from'), field('until')),
      field('pattern', { options: shifts.map((shift) => ({ value: shift.id, label: formatShiftName(words, shift) })) }),
      hasAddress && field('automatic'),
    ],
  })
  return html`${pageHeadView({ title: words.t('programme.options'), facts: words.t('programme.options_intro') })}${form}`
}
