import type { RequestContext } from '#platform/auth/context.ts'
import { BadParameter, type Parameter } from './parameters.ts'

/** Undefined if it is not a whole number; `beyond` if it is outside the safe integers, where no id exists. */
function readWholeNumber(text: string): number | 'beyond' | undefined {
  const trimmed = text.trim()
  if (!/^[+-]?\d+$/.test(trimmed)) return undefined
  const value = Number(trimmed)
  return Number.isSafeInteger(value) ? value : 'beyond'
}

type IdOptions = {
  description: string
  /** The ids among these that exist for the caller. */
  known: (ids: number[], context: RequestContext) => Promise<ReadonlySet<number>>
}

const unknownChoice = (value: string, { words }: RequestContext): BadParameter =>
  new BadParameter('invalid_choice', words.t('parameter.bad_choice', { value }))

/** The id of an existing record. */
export function idParameter({ description, known }: IdOptions): Parameter<number> {
  const refuse = ({ words }: RequestContext) => new BadParameter('invalid_choice', words.t('parameter.bad_single_choice'))
  return {
    description,
    schema: { type: 'integer' },
    read: (values, context) => {
      const text = values.at(-1)!.trim()
      if (!text) return undefined
      const id = readWholeNumber(text)
      if (id === undefined || id === 'beyond') throw refuse(context)
      return id
    },
    verify: async (id, context) => {
      if (!(await known([id], context)).has(id)) throw refuse(context)
    },
  }
}

/** Ids as repeated keys or separated by commas; one unknown id rejects the whole list. */
export function idListParameter({ description, known }: IdOptions): Parameter<number[]> {
  return {
    description: `${description} May be repeated, or hold several ids separated by commas.`,
    schema: { type: 'integer' },
    list: true,
    read: (values, context) =>
      values
        .flatMap((value) => value.split(','))
        .map((text) => {
          const id = readWholeNumber(text)
          if (id === undefined) throw new BadParameter('invalid_value', context.words.t('parameter.bad_id', { value: text }))
          if (id === 'beyond') throw unknownChoice(text.trim(), context)
          return id
        }),
    verify: async (ids, context) => {
      const existing = await known(ids, context)
      const missing = ids.find((id) => !existing.has(id))
      if (missing !== undefined) throw unknownChoice(String(missing), context)
    },
  }
}

export function choiceParameter<const Choice extends number | string>(
  description: string,
  choices: readonly Choice[],
): Parameter<Choice> {
  return {
    description,
    schema: { type: typeof choices[0] === 'number' ? 'integer' : 'string', enum: choices },
    read: (values, context) => {
      const text = values.at(-1)!.trim()
      if (!text) return undefined
      const choice = choices.find((each) => String(each) === text)
      if (choice === undefined) throw unknownChoice(text, context)
      return choice
    },
  }
}

/** Each is looked for in every row: with thousands, a search would last longer than the database lets it. */
const MAX_TERMS = 50

/** Words that must all occur; quotes form phrases. */
export function searchParameter(fields: string): Parameter<string[]> {
  return {
    description: `Every word must occur in ${fields}, whatever its case; quotes keep words together. At most ${MAX_TERMS} different words.`,
    schema: { type: 'string' },
    read: (values, { words }) => {
      const text = values.at(-1)!
      if (text.includes('\0')) throw new BadParameter('null_character', words.t('parameter.null_character'))
      const terms = [...new Set(splitTerms(text))]
      if (terms.length > MAX_TERMS)
        throw new BadParameter('too_many_values', words.t('parameter.too_many_values', { most: MAX_TERMS }))
      return terms.length ? terms : undefined
    },
  }
}

function splitTerms(text: string): string[] {
  return (
    [...text.matchAll(/"([^"]*)"|'([^']*)'|([^\s,]+)/g)]
      .map(([, double, single, bare]) => double ?? single ?? bare!)
      // A lone quote counts as an empty phrase.
      .filter((term) => term.trim() !== '' && term !== '"' && term !== "'")
  )
}

/** Exact e-mail addresses, whatever their case, as repeated keys or separated by commas. */
export function emailListParameter(description: string, most: number): Parameter<string[]> {
  return {
    description: `${description} May be repeated, or hold several addresses separated by commas; at most ${most}.`,
    schema: { type: 'string' },
    list: true,
    read: (values, { words }) => {
      const texts = values.flatMap((value) => value.split(',')).map((text) => text.trim())
      const addresses = texts.filter(Boolean)
      if (addresses.some((text) => text.includes('\0')))
        throw new BadParameter('null_character', words.t('parameter.null_character'))
      if (addresses.length > most) throw new BadParameter('too_many_values', words.t('parameter.too_many_values', { most }))
      return addresses.length ? addresses : undefined
    },
  }
}

export type Order<Field extends string> = { field: Field; descending: boolean }[]

/** Ignores unknown names; without a known one the list keeps its default order. */
export function orderingParameter<const Field extends string>(fields: readonly Field[]): Parameter<Order<Field>> {
  return {
    description: `Fields to order by, separated by commas, with - for descending: ${fields.join(', ')}.`,
    schema: { type: 'string', examples: [`-${fields[0]}`] },
    read: (values) => {
      const order = values
        .at(-1)!
        .split(',')
        .map((text) => text.trim())
        .flatMap((text) => {
          const field = fields.find((each) => each === text.replace(/^-/, ''))
          return field ? [{ field, descending: text.startsWith('-') }] : []
        })
      return order.length ? order : undefined
    },
  }
}
