import type { TextOwner } from '#platform/features/own-texts.ts'

type Field = { maxLength: number; isLong: boolean }

/** What people read of each kind of record, with the limits of its own form. */
export const FIELDS = {
  event: { title: { maxLength: 254, isLong: false }, description: { maxLength: 20_000, isLong: true } },
  page: { title: { maxLength: 250, isLong: false }, content: { maxLength: 100_000, isLong: true } },
  question: {
    text: { maxLength: 250, isLong: false },
    explanation: { maxLength: 1000, isLong: true },
    choices: { maxLength: 20_000, isLong: true },
  },
} as const satisfies Record<TextOwner, Record<string, Field>>

type FieldsOf<Owner extends TextOwner> = keyof (typeof FIELDS)[Owner]
export type FieldName = { [Owner in TextOwner]: FieldsOf<Owner> }[TextOwner]

/** What the organisation has written, by field. An empty text is not translated. */
export type Originals = Readonly<Partial<Record<FieldName, string>>>

/** Fields of the kind that have a text, with their limits. */
export const fieldsOf = (owner: TextOwner, originals: Originals): (Field & { name: FieldName; original: string })[] =>
  Object.entries(FIELDS[owner] as Record<string, Field>).flatMap(([name, field]) => {
    const original = originals[name as FieldName] ?? ''
    return original === '' ? [] : [{ ...field, name: name as FieldName, original }]
  })

export type Stored = { language: string; field: string; original: string; text: string }

/** How much of the texts has a translation that is shown. */
export function progressOf(originals: Originals, owner: TextOwner, stored: readonly Stored[]): 'done' | 'partly' | 'missing' {
  const fields = fieldsOf(owner, originals)
  const shown = fields.filter(({ name, original }) => stored.some((each) => each.field === name && each.original === original))
  if (shown.length === fields.length) return 'done'
  return shown.length ? 'partly' : 'missing'
}

export type Fault = { code: 'too_long' } | { code: 'choices_count'; count: number }

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim())

/** The text as it is stored, or what is wrong with it. */
export function readText(
  { name, isLong, maxLength, original }: ReturnType<typeof fieldsOf>[number],
  typed: string,
): { text: string } | { fault: Fault } {
  const lines = typed.replaceAll('\r\n', '\n').trim()
  const text = isLong ? lines : lines.replaceAll(/\s+/g, ' ')
  if ([...text].length > maxLength) return { fault: { code: 'too_long' } }
  if (name !== 'choices' || text === '') return { text }
  const choices = linesOf(text).filter(Boolean)
  const count = linesOf(original).length
  return choices.length === count ? { text: choices.join('\n') } : { fault: { code: 'choices_count', count } }
}
