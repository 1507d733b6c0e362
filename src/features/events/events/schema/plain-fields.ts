import { z } from 'zod'
import { bodyLine } from '#platform/single-line.ts'
import type { PlainField, PlainName, PlainValue } from '../rules/plain-fields.ts'

type Schemas<Fields> = { [Name in PlainName<Fields>]: z.ZodType<PlainValue<Fields[Name]>> }
type Source<Name extends string> = { map: <Value>(read: (name: Name, field: PlainField) => Value) => Record<Name, Value> }

/** Plain fields in records of the API. */
export const recordSchemas = <Fields>({ map }: Source<PlainName<Fields>>): Schemas<Fields> =>
  map((_name, { type }) => {
    if (type === 'number') return z.int()
    if (type === 'flag') return z.boolean()
    return type === 'lines' ? z.string().nullable() : z.string()
  }) as unknown as Schemas<Fields>

/** Plain fields in bodies that clients send. zod counts UTF-16 units, so that rules check the lengths, which are of characters. */
export const bodySchemas = <Fields>({ map }: Source<PlainName<Fields>>): Schemas<Fields> =>
  map((_name, field) => {
    if (field.type === 'number') return z.int().min(field.min).max(field.max)
    if (field.type === 'flag') return z.boolean()
    const { maxLength } = field
    return field.type === 'lines' ? z.string().nullable().meta({ maxLength }) : bodyLine.meta({ maxLength })
  }) as unknown as Schemas<Fields>
