import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxField, checkboxGroup, dateField, emailField, hiddenField, radioGroup, textField } from '#platform/ui/fields.ts'
import { type FormError, fieldRowView, fieldsetView, formView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'

export type PersonFields = {
  name: string
  email: string
  dateOfBirth: string
  phone: string
  language: string
  groups: readonly number[]
  isStaff: boolean
  isVisible: boolean
}

export type PersonFormData = {
  words: Words
  csrfToken: string
  action: string
  cancel: string
  submit: string
  help?: string | undefined
  fields: PersonFields
  errors: readonly FormError[]
  /** Groups that the caller may assign. */
  groups: readonly { id: number; name: string }[]
  /** Names of groups that the caller may not remove. */
  lockedGroups: readonly string[]
  isEmailLocked: boolean
  /** Only administrators may appoint administrators and hide people. */
  showsStaff: boolean
  showsVisible: boolean
}

export function personFormView(data: PersonFormData): Html {
  const { words, fields, errors } = data
  const error = (name: string) => errors.find(({ field }) => field === name)?.text
  const shared = (name: string) => ({ words, name, error: error(name) })
  return formView({
    words,
    action: data.action,
    csrfToken: data.csrfToken,
    errors,
    submit: data.submit,
    cancel: { href: data.cancel },
    fields: [
      fieldRowView(
        textField({
          ...shared('name'),
          label: words.t('people.name'),
          value: fields.name,
          required: true,
          attributes: { autocomplete: 'off' },
        }),
        emailField({
          ...shared('email'),
          label: words.t('people.email'),
          value: fields.email,
          required: true,
          ...(data.isEmailLocked ? { help: words.t('people.email_locked') } : {}),
          attributes: { autocomplete: 'off', readonly: data.isEmailLocked },
        }),
      ),
      fieldRowView(
        dateField({
          ...shared('date_of_birth'),
          label: words.t('people.birth_date'),
          value: fields.dateOfBirth,
          help: words.t('people.birth_help'),
        }),
        textField({ ...shared('phone'), label: words.t('people.phone'), value: fields.phone, type: 'tel' }),
      ),
      radioGroup({
        ...shared('language'),
        label: words.t('people.language'),
        value: fields.language,
        options: (['en', 'de'] as const).map((value) => ({ value, label: words.t(`people.language_${value}`) })),
      }),
      groupsView(data, error('groups')),
      rightsView(data, error),
      data.help && html`<p class="help">${data.help}</p>`,
    ],
  })
}

function groupsView({ words, fields, groups, lockedGroups }: PersonFormData, error: string | undefined): Html {
  const locked =
    lockedGroups.length > 0 &&
    html`<p class="help">${iconView('lock', { size: 16 })} ${words.t('people.groups_locked', { names: words.list(lockedGroups) })}</p>`
  if (!groups.length) return html`<div class="field"><p class="help">${words.t('people.no_groups_to_give')}</p>${locked}</div>`
  const boxes = checkboxGroup({
    words,
    name: 'groups',
    label: words.t('people.groups'),
    help: words.t('people.groups_help'),
    error,
    values: fields.groups,
    options: groups.map(({ id, name }) => ({ value: id, label: name })),
  })
  return html`${boxes}${locked}`
}

function rightsView(
  { words, fields, showsStaff, showsVisible }: PersonFormData,
  error: (name: string) => string | undefined,
): Html | false {
  if (!showsStaff && !showsVisible)
    return html`${fields.isStaff && hiddenField('is_staff', 'on')}${fields.isVisible && hiddenField('is_visible', 'on')}`
  return fieldsetView({
    legend: words.t('people.rights'),
    fields: [
      showsStaff
        ? checkboxField({
            words,
            name: 'is_staff',
            label: words.t('people.is_staff'),
            help: words.t('people.is_staff_help'),
            checked: fields.isStaff,
            error: error('is_staff'),
          })
        : fields.isStaff && hiddenField('is_staff', 'on'),
      showsVisible
        ? checkboxField({
            words,
            name: 'is_visible',
            label: words.t('people.is_visible'),
            help: words.t('people.is_visible_help'),
            checked: fields.isVisible,
            error: error('is_visible'),
          })
        : fields.isVisible && hiddenField('is_visible', 'on'),
    ],
  })
}
