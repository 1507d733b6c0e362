import { type PersonForm, personForm } from '#features/accounts/users/schema.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { languageOptions } from '#platform/i18n/offered.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FieldRenderer } from '#platform/ui/define-form.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { fieldRowView, fieldsetView } from '#platform/ui/form.ts'
import { type FormState, fieldValue, isChecked } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'

export type PersonFormData = {
  words: Words
  csrfToken: string
  action: string
  cancel: string
  submit: string
  help?: string | undefined
  state: FormState
  /** Groups that the caller may assign. */
  groups: readonly { id: number; name: string }[]
  /** Names of groups that the caller may not remove. */
  lockedGroups: readonly string[]
  /** That people can choose. */
  languages: readonly Language[]
  isEmailLocked: boolean
  /** Only administrators may appoint administrators and hide people. */
  showsStaff: boolean
  showsVisible: boolean
}

type Field = FieldRenderer<keyof PersonForm>

export function personFormView(data: PersonFormData): Html {
  const { words, action, csrfToken, state, submit } = data
  const lockedEmail = { help: words.t('people.email_locked'), attributes: { readonly: true } }
  return personForm.view({
    words,
    action,
    csrfToken,
    state,
    submit,
    cancel: { href: data.cancel },
    layout: (field) => [
      field('seen'),
      field('name'),
      fieldRowView(
        field('email', data.isEmailLocked ? lockedEmail : {}),
        field('username', data.isEmailLocked ? { attributes: { readonly: true } } : {}),
      ),
      field('contact_email', data.isEmailLocked ? { attributes: { readonly: true } } : {}),
      fieldRowView(field('date_of_birth'), field('phone')),
      field('language', { options: languageOptions(data.languages, fieldValue(state.values, 'language')) }),
      groupsView(data, field),
      rightsView(data, field),
      data.help && html`<p class="help">${data.help}</p>`,
    ],
  })
}

function groupsView({ words, groups, lockedGroups }: PersonFormData, field: Field): Html {
  const locked =
    lockedGroups.length > 0 &&
    html`<p class="help">${iconView('lock', { size: 16 })} ${words.t('people.groups_locked', { names: words.list(lockedGroups) })}</p>`
  if (!groups.length) return html`<div class="field"><p class="help">${words.t('people.no_groups_to_give')}</p>${locked}</div>`
  return html`${field('groups', { options: groups.map(({ id, name }) => ({ value: id, label: name })) })}${locked}`
}

/** A right that the caller may not change is sent unchanged. */
function rightsView({ words, state, showsStaff, showsVisible }: PersonFormData, field: Field): Html {
  const unchanged = (name: 'is_staff' | 'is_visible') => isChecked(state.values, name) && hiddenField(name, 'on')
  const fields = [
    showsStaff ? field('is_staff') : unchanged('is_staff'),
    showsVisible ? field('is_visible') : unchanged('is_visible'),
  ]
  if (!showsStaff && !showsVisible) return html`${fields}`
  return fieldsetView({ legend: words.t('people.rights'), fields })
}
