import type { SourceLanguage } from '#platform/i18n/languages.ts'

/** A text of the sample data. Plans have one structure and their texts in every language. */
export type SampleText = Readonly<Record<SourceLanguage, string>>

/** Sample data with the texts of one language. */
type InLanguage<Value> = Value extends SampleText
  ? string
  : Value extends object
    ? { [Key in keyof Value]: InLanguage<Value[Key]> }
    : Value

const isText = (value: object): value is SampleText => 'en' in value && 'de' in value

/** Replaces the texts of a plan by those of one language. */
export function inLanguage<Value>(value: Value, language: SourceLanguage): InLanguage<Value> {
  const choose = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(choose)
    if (typeof part !== 'object' || part === null) return part
    if (isText(part)) return part[language]
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, choose(each)]))
  }
  return choose(value) as InLanguage<Value>
}
