import type { Child } from '#platform/html/html.ts'
import { html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FieldRenderer } from '#platform/ui/define-form.ts'
import type { Option } from '#platform/ui/fields.ts'

type Name = 'name' | 'email' | 'date_of_birth' | 'phone' | 'qualifications'
type LayoutData = {
  words: Words
  declarable: readonly { id: number; title: string }[]
  /** Texts beside qualifications, by id. */
  notes?: ReadonlyMap<number, string>
  /** Latest day of birth. */
  today: string
  isUnfolded: boolean
}

type RegistrationData = LayoutData & { shifts: readonly Option[] }

export const registrationFields =
  ({ shifts, ...data }: RegistrationData) =>
  (field: FieldRenderer<Name | 'shifts'>): Child =>
    html`${field('shifts', { options: shifts })}${guestFields(data)(field)}`

/** More qualifications than this are folded. */
const MAX_UNFOLDED = 6

export const guestFields =
  ({ words, declarable, notes, today, isUnfolded }: LayoutData) =>
  (field: FieldRenderer<Name>): Child => {
    const options = declarable.map(({ id, title }) => ({ value: id, label: title, help: notes?.get(id) }))
    const choice = options.length > 0 && field('qualifications', { options })
    return html`${field('name')}${field('email')}${field('date_of_birth', { attributes: { max: today } })}${field('phone')}${
      options.length > MAX_UNFOLDED && !isUnfolded
        ? html`<details class="guest-qualifications"><summary>${words.t('guests.qualifications_choose', { count: options.length })}</summary>${choice}</details>`
        : choice
    }`
  }
