import type { JournalKind, JournalKinds } from '#platform/journal/kinds.ts'

type KeysOf<Value> = Value extends unknown ? keyof Value & string : never
type PartOf<Kind extends JournalKind, Name extends 'changes' | 'personal'> = Name extends keyof JournalKinds[Kind]
  ? Exclude<JournalKinds[Kind][Name], undefined>
  : never
type ValuesOf<Kind extends JournalKind> = PartOf<Kind, 'changes'> | PartOf<Kind, 'personal'>
type FieldOf<Kind extends JournalKind> = string extends KeysOf<ValuesOf<Kind>> ? never : KeysOf<ValuesOf<Kind>>
type ValueOf<Values, Name extends string> = Values extends unknown
  ? Name extends keyof Values
    ? Exclude<Values[Name], undefined>
    : never
  : never

/** Every field that an entry of any kind holds. */
type LogField = { [Kind in JournalKind]: FieldOf<Kind> }[JournalKind]

type LiteralsOf<Value> = Value extends string
  ? string extends Value
    ? never
    : Value
  : Value extends readonly (infer Item)[]
    ? LiteralsOf<Item>
    : Value extends { added?: readonly (infer Item)[] }
      ? LiteralsOf<Item>
      : never

/** `FIELD_VALUE` of fields that hold one of a few words of the program. */
export type LogValue = {
  [Kind in JournalKind]: { [Name in FieldOf<Kind>]: `${Name}_${LiteralsOf<ValueOf<ValuesOf<Kind>, Name>>}` }[FieldOf<Kind>]
}[JournalKind]

/** `pair`: the value before and after. `moved`: what a list has more and less than before. */
export type Shape = 'pair' | 'list' | 'moved' | 'value'
type ShapeOf<Value> = Value extends readonly unknown[]
  ? number extends Value['length']
    ? 'list'
    : 'pair'
  : Value extends { added?: readonly unknown[]; removed?: readonly unknown[] }
    ? Value extends { [Name in keyof Value]: readonly unknown[] | undefined }
      ? keyof Value extends 'added' | 'removed'
        ? 'moved'
        : 'value'
      : 'value'
    : 'value'
export type Shapes = {
  [Kind in JournalKind as [FieldOf<Kind>] extends [never] ? never : Kind]: {
    [Name in FieldOf<Kind>]: ShapeOf<ValueOf<ValuesOf<Kind>, Name>>
  }
}

/** Numbers and marks that programs need, and that say nothing to people. */
export const HIDDEN_FIELDS = [
  'child_id',
  'copy_of',
  'delivery',
  'entries',
  'entry',
  'guest_id',
  'inquiry',
  'internal_name',
  'invite_code_id',
  'is_last',
  'is_new',
  'join_link_id',
  'keepTransitivity',
  'merged_id',
  'message_id',
  'passed_over',
  'qualification_uuids',
  'record',
  'request',
  'shift',
  'stand_in',
  'step',
  'swap',
  'to_id',
  'undone',
  'user_id',
  'uuid',
  'visitor_id',
] as const satisfies readonly LogField[]

/** Values of several parts. The log says that they were changed; the page of the record shows them. */
export const COMPOUND_FIELDS = [
  'before',
  'disabled',
  'enabled',
  'fields',
  'options',
  'policy',
  'rule',
  'signup_flow_configuration',
  'structure_configuration',
  'structure_data',
] as const satisfies readonly LogField[]

/** Fields that hold words of the program. Other texts are people’s own, and shown as they are. */
export const PROGRAM_FIELDS = [
  'block_type',
  'bundles',
  'by',
  'cause',
  'kind',
  'kinds',
  'mode',
  'permissions',
  'scope',
  'signup_flow_slug',
  'source',
  'state',
  'structure_slug',
  'to',
  'token_auth_method',
  'what',
] as const satisfies readonly LogField[]

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Each needs words; keys of words are snake_case. */
export type ShownField = SnakeCase<Exclude<LogField, (typeof HIDDEN_FIELDS)[number]>>
