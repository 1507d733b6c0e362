import { z } from 'zod'
import { checkbox, defineForm, number, text } from '#platform/ui/define-form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'

const MAX_DAYS = 36_500
const days = z
  .string()
  .trim()
  .default('0')
  .refine((value) => /^\d{0,5}$/.test(value) && Number(value) <= MAX_DAYS, 'privacy.days_invalid')
  .transform(Number)

/** Numbers of days; 0 switches a rule off. */
export const privacyForm = defineForm({
  retention_visitors_days: number({
    label: 'privacy.rule_visitors',
    help: 'privacy.rule_visitors_help',
    min: 0,
    max: MAX_DAYS,
    schema: days,
  }),
  retention_journal_days: number({
    label: 'privacy.rule_journal',
    help: 'privacy.rule_journal_help',
    min: 0,
    max: MAX_DAYS,
    schema: days,
  }),
  retention_notifications_days: number({
    label: 'privacy.rule_notifications',
    help: 'privacy.rule_notifications_help',
    min: 0,
    max: MAX_DAYS,
    schema: days,
  }),
  retention_messages_days: number({
    label: 'privacy.rule_messages',
    help: 'privacy.rule_messages_help',
    min: 0,
    max: MAX_DAYS,
    schema: days,
  }),
  retention_attendance_days: number({
    label: 'privacy.rule_attendance',
    help: 'privacy.rule_attendance_help',
    min: 0,
    max: MAX_DAYS,
    schema: days,
  }),
  retention_birth_dates_days: number({
    label: 'privacy.rule_birth_dates',
    help: 'privacy.rule_birth_dates_help',
    min: 0,
    max: MAX_DAYS,
    schema: days,
  }),
  retention_accounts_days: number({
    label: 'privacy.rule_accounts',
    help: 'privacy.rule_accounts_help',
    min: 0,
    max: MAX_DAYS,
    schema: days,
  }),
  erasure_waiting_days: number({
    label: 'privacy.waiting_days',
    help: 'privacy.waiting_days_help',
    min: 0,
    max: 90,
    schema: days.refine((value) => value <= 90, 'privacy.waiting_days_invalid'),
  }),
  erasure_needs_approval: checkbox({ label: 'privacy.needs_approval', help: 'privacy.needs_approval_help' }),
})
export type PrivacySettings = z.infer<typeof privacyForm.schema>

export const DEFAULT_SETTINGS: PrivacySettings = {
  retention_visitors_days: 365,
  retention_journal_days: 1095,
  retention_notifications_days: 90,
  retention_messages_days: 730,
  retention_attendance_days: 365,
  retention_birth_dates_days: 730,
  retention_accounts_days: 1095,
  erasure_waiting_days: 14,
  erasure_needs_approval: false,
}

export const eraseForm = defineForm({
  confirm: checkbox({ label: 'privacy.erase_confirm' }),
})

export const mergeForm = defineForm({
  confirm: text({
    label: 'privacy.merge_confirm',
    required: true,
    attributes: { autocomplete: 'off' },
    schema: formLine.default(''),
  }),
})
