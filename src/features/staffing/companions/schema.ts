import { z } from 'zod'
import { defineForm, number, textarea } from '#platform/ui/define-form.ts'
import { formLines, formText } from '#platform/ui/form-schemas.ts'

/** Fields of each companion have computed names. */
export const nameField = (id: number): string => `name_${id}`
export const leaveField = (id: number): string => `leave_${id}`

export const companionsForm = defineForm({
  add: number({ label: 'companions.number', min: 0, schema: formText.default('') }),
  names: textarea({ label: 'companions.names', help: 'companions.names_help', rows: 3, schema: formLines.default('') }),
})

const wholeNumber = /^\d{0,3}$/

/** What the form asks for: names of companions, those who leave, and new ones, of whom some may have no name. */
export const companionsInput = companionsForm.schema
  .extend({ seen: z.string().max(10_000).default('') })
  .catchall(z.union([formText.max(1_000, 'form.invalid'), z.array(z.string())]))
  .check(({ value, issues }) => {
    if (!wholeNumber.test(value.add.trim()))
      issues.push({ code: 'custom', message: 'companions.not_a_number', path: ['add'], input: value.add })
  })
  .transform(({ seen, add, names, ...fields }) => {
    const typed = names.split('\n').filter((name) => name.trim() !== '')
    const idOf = (field: string, prefix: string) =>
      field.startsWith(prefix) && /^\d{1,15}$/.test(field.slice(prefix.length)) ? Number(field.slice(prefix.length)) : undefined
    const entries = Object.entries(fields)
    const unnamed = Math.max(0, Number(add) - typed.length)
    return {
      seen,
      change: {
        names: new Map(
          entries.flatMap(([field, value]) => {
            const id = idOf(field, 'name_')
            return id !== undefined && typeof value === 'string' ? [[id, value] as const] : []
          }),
        ),
        leaving: new Set(entries.flatMap(([field]) => idOf(field, 'leave_') ?? [])),
        added: [...typed, ...Array<string>(unnamed).fill('')],
      },
    }
  })
