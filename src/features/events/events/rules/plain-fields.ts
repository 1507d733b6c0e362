import { toSingleLine } from '#platform/single-line.ts'

/**
 * A field with one value and one name: the column, the form, the API, the journal and the words (`plan.NAME`, `plan.NAME_help` and
 * `plan.field.NAME`) call it the same. `isCopied`: copies, series, templates and programmes take it over. `isRepeated`: the next shift
 * that planners add starts with it. `shown`: where pages name the value, besides forms and lists of changes.
 */
export type PlainField = (
  | { type: 'text'; default: string; maxLength: number; isRequired?: true }
  | { type: 'lines'; default: null; maxLength: number }
  | { type: 'number'; default: number; min: number; max: number }
  | { type: 'flag'; default: boolean }
) & { isCopied: boolean; isRepeated?: boolean; shown: readonly Place[] }

/** `page`: the head of an event. `card`: a shift on pages of an event and in previews. `roster`: for print. `csv`: a column of the file. */
export type Place = 'page' | 'card' | 'roster' | 'csv'

export type PlainValue<Field> = Field extends { type: 'text' }
  ? string
  : Field extends { type: 'lines' }
    ? string | null
    : Field extends { type: 'number' }
      ? number
      : Field extends { type: 'flag' }
        ? boolean
        : never
export type PlainName<Fields> = { [Name in keyof Fields]: Fields[Name] extends PlainField ? Name : never }[keyof Fields] & string
export type PlainValues<Fields> = { [Name in PlainName<Fields>]: PlainValue<Fields[Name]> }
type PlainFault = { field: string; code: 'missing' | 'too_long' | 'not_a_number' | 'unreadable' }

/** Null if nothing is left. */
export const cleanLines = (text: string): string | null => text.replaceAll('\r\n', '\n').trim() || null

type Plain = string | number | boolean | null

/** As typed into a form. A number that cannot be read is NaN, an empty one the default. A box that is not ticked is not sent. */
function readTyped(field: PlainField, text: string): Plain {
  if (field.type === 'flag') return text !== ''
  if (field.type === 'text') return toSingleLine(text)
  if (field.type === 'lines') return cleanLines(text)
  if (text.trim() === '') return field.default
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN
}

/** As API clients send it. */
function readSent(field: PlainField, value: Plain): Plain {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return field.type === 'lines' ? cleanLines(value ?? '') : (value ?? '').trim()
}

/** A box is ticked by any text. */
const printPlain = (value: Plain): string => (typeof value === 'boolean' ? (value ? 'on' : '') : String(value ?? ''))

function findFault(field: PlainField, value: Plain): PlainFault['code'] | undefined {
  if (field.type === 'flag') return undefined
  if (field.type === 'number') {
    if (!Number.isInteger(value)) return 'not_a_number'
    return Number(value) < field.min || Number(value) > field.max ? 'unreadable' : undefined
  }
  if (field.type === 'text' && field.isRequired && !value) return 'missing'
  // In characters, not in UTF-16 units.
  return [...String(value ?? '')].length > field.maxLength ? 'too_long' : undefined
}

/** What readers of a list of fields share. Other fields of the list, with parts of their own, are left out. */
export function makePlainFields<const List extends Record<string, { type: string }>>(list: List) {
  type Name = PlainName<List>
  type Values = PlainValues<List>
  const isPlain = (name: string) => ['text', 'lines', 'number', 'flag'].includes(list[name]!.type)
  const names = Object.keys(list).filter(isPlain) as Name[]
  const fields = list as unknown as Record<Name, PlainField>
  const map = <Value>(read: (name: Name, field: PlainField) => Value): Record<Name, Value> =>
    Object.fromEntries(names.map((name) => [name, read(name, fields[name])])) as Record<Name, Value>
  const mapValues = (read: (name: Name, field: PlainField) => unknown): Values => map(read) as Values
  return {
    names,
    fields,
    map,
    defaults: mapValues((_name, field) => field.default),
    pick: (values: Values): Values => mapValues((name) => values[name]),
    /** What a copy starts with. */
    copy: (values: Values): Values => mapValues((name, field) => (field.isCopied ? values[name] : field.default)),
    /** `textOf`: what was typed into the field. */
    readForm: (textOf: (name: Name) => string): Values => mapValues((name, field) => readTyped(field, textOf(name))),
    print: (values: Values): Record<Name, string> => map((name) => printPlain(values[name] as Plain)),
    /** Absent keys of the body keep their values. */
    readBody: (body: { [Key in Name]?: Values[Key] | undefined }, otherwise: Values): Values =>
      mapValues((name, field) => (body[name] === undefined ? otherwise[name] : readSent(field, body[name] as Plain))),
    findFaults: (values: Values): PlainFault[] =>
      names.flatMap((name) => {
        const code = findFault(fields[name], values[name] as Plain)
        return code ? [{ field: name, code }] : []
      }),
    /** Without those that have the default. */
    findShown: (values: Values, place: Place): Name[] =>
      names.filter(
        (name) => fields[name].shown.includes(place) && ![fields[name].default, Number.NaN].includes(values[name] as never),
      ),
    namesShownIn: (place: Place): Name[] => names.filter((name) => fields[name].shown.includes(place)),
  }
}
