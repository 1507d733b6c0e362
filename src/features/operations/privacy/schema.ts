import { defineSettings, onOff, wholeNumber } from '#features/operations/settings/schema/define-settings.ts'
import { checkbox, defineForm, text } from '#platform/ui/define-form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'

const MAX_DAYS = 36_500

/** Numbers of days; 0 switches a rule off. */
export const privacySettings = defineSettings({
  retention_visitors_days: wholeNumber({
    label: 'privacy.rule_visitors',
    help: 'privacy.rule_visitors_help',
    default: 365,
    min: 0,
    max: MAX_DAYS,
  }),
  retention_journal_days: wholeNumber({
    label: 'privacy.rule_journal',
    help: 'privacy.rule_journal_help',
    default: 1095,
    min: 0,
    max: MAX_DAYS,
  }),
  retention_notifications_days: wholeNumber({
    label: 'privacy.rule_notifications',
    help: 'privacy.rule_notifications_help',
    default: 90,
    min: 0,
    max: MAX_DAYS,
  }),
  retention_messages_days: wholeNumber({
    label: 'privacy.rule_messages',
    help: 'privacy.rule_messages_help',
    default: 730,
    min: 0,
    max: MAX_DAYS,
  }),
  retention_attendance_days: wholeNumber({
    label: 'privacy.rule_attendance',
    help: 'privacy.rule_attendance_help',
    default: 365,
    min: 0,
    max: MAX_DAYS,
  }),
  retention_birth_dates_days: wholeNumber({
    label: 'privacy.rule_birth_dates',
    help: 'privacy.rule_birth_dates_help',
    default: 730,
    min: 0,
    max: MAX_DAYS,
  }),
  retention_accounts_days: wholeNumber({
    label: 'privacy.rule_accounts',
    help: 'privacy.rule_accounts_help',
    default: 1095,
    min: 0,
    max: MAX_DAYS,
  }),
  erasure_waiting_days: wholeNumber({
    label: 'privacy.waiting_days',
    help: 'privacy.waiting_days_help',
    default: 14,
    min: 0,
    max: 90,
  }),
  erasure_needs_approval: onOff({ label: 'privacy.needs_approval', help: 'privacy.needs_approval_help' }),
})
export const privacyForm = defineForm(privacySettings.fields)
export type PrivacySettings = typeof privacySettings.defaults

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
