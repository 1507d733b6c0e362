import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { checkboxField, dateField, numberField, type Option, selectField } from '#platform/ui/fields.ts'
import { type FormError, fieldRowView, fieldsetView } from '#platform/ui/form.ts'
import { errorOf } from '#platform/ui/form-values.ts'
import { type EventQualification, MODES, RECIPIENTS } from '../rules.ts'

type Stored = Omit<EventQualification, 'qualificationId'>

function validityText(words: Words, { expiresAt, validMonths }: Stored): string {
  if (expiresAt) return words.t('qualreq.until', { date: words.date(expiresAt) })
  return validMonths === null ? words.t('qualreq.unlimited') : words.t('qualreq.for_months', { count: validMonths })
}

/** For planners, on the page of the event. */
export function receivedQualificationView(words: Words, stored: Stored): Html {
  const lines = [
    words.t(`qualreq.recipients_${stored.recipients}`),
    words.t(`qualreq.mode_${stored.mode}`),
    words.t(stored.needsDecision ? 'qualreq.by_request' : 'qualreq.at_once'),
  ]
  const state =
    stored.appliedAt && html`<p class="muted">${words.t('qualreq.applied', { when: words.dateTime(stored.appliedAt) })}</p>`
  return cardView({
    title: words.t('qualreq.participants_receive'),
    body: html`<p><b>${stored.title}</b>, ${validityText(words, stored)}</p><p class="muted">${lines.join(' · ')}</p>${state}`,
  })
}

export type SectionValues = {
  qualification: string
  mode: string
  recipients: string
  expiry: string
  expiresOn: string
  validMonths: string
  needsDecision: boolean
}
type SectionData = { words: Words; values: SectionValues; errors: readonly FormError[]; qualifications: readonly Option[] }

/** The script of the event form hides the field that does not belong to the chosen validity; without it both are shown. */
const expiryPanel = (when: 'date' | 'months', field: Html): Html =>
  html`<div data-panel="auto_expiry" data-when="${when}">${field}</div>`

/** The section of the event form. */
export function eventSectionView({ words, values, errors, qualifications }: SectionData): Html {
  const error = (name: string) => errorOf(errors, name)
  return fieldsetView({
    legend: words.t('qualreq.section'),
    help: words.t('qualreq.section_help'),
    fields: [
      selectField({
        words,
        name: 'auto_qualification',
        label: words.t('qualreq.qualification'),
        value: values.qualification,
        placeholder: words.t('qualreq.section_none'),
        options: qualifications,
        error: error('auto_qualification'),
      }),
      fieldRowView(
        selectField({
          words,
          name: 'auto_recipients',
          label: words.t('qualreq.recipients'),
          value: values.recipients,
          placeholder: false,
          options: RECIPIENTS.map((value) => ({ value, label: words.t(`qualreq.recipients_${value}`) })),
        }),
        selectField({
          words,
          name: 'auto_mode',
          label: words.t('qualreq.mode'),
          value: values.mode,
          placeholder: false,
          options: MODES.map((value) => ({ value, label: words.t(`qualreq.mode_${value}`) })),
        }),
      ),
      selectField({
        words,
        name: 'auto_expiry',
        label: words.t('qualreq.expiry'),
        value: values.expiry,
        placeholder: false,
        options: (['never', 'date', 'months'] as const).map((value) => ({ value, label: words.t(`qualreq.expiry_${value}`) })),
      }),
      html`<noscript><p class="help">${words.t('qualreq.expiry_help')}</p></noscript>`,
      expiryPanel(
        'date',
        dateField({
          words,
          name: 'auto_expires_on',
          label: words.t('qualreq.expires_on'),
          value: values.expiresOn,
          error: error('auto_expires_on'),
        }),
      ),
      expiryPanel(
        'months',
        numberField({
          words,
          name: 'auto_valid_months',
          label: words.t('qualreq.valid_months'),
          value: values.validMonths,
          min: 1,
          max: 600,
          error: error('auto_valid_months'),
        }),
      ),
      checkboxField({
        words,
        name: 'auto_needs_decision',
        label: words.t('qualreq.needs_decision'),
        help: words.t('qualreq.needs_decision_help'),
        checked: values.needsDecision,
      }),
    ],
  })
}

/** In place of the section, after the qualification was given. */
export const appliedSectionView = (words: Words, stored: Stored): Html =>
  fieldsetView({
    legend: words.t('qualreq.section'),
    fields: [
      html`<p>${words.t('qualreq.section_applied', { title: stored.title, when: words.dateTime(stored.appliedAt!) })}</p>`,
    ],
  })
