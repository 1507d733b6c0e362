import type { form as english } from '../en/form.ts'
import type { Translation } from '../message.ts'

export const form: Translation<typeof english> = {
  'form.missing': 'Bitte ausfüllen.',
  'form.invalid': 'Bitte diesen Wert prüfen.',
}
