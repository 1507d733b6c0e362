/**
 * Kinds of journal entries, each with the kind of its subject and with what it holds: `changes` without personal data, `personal` with values
 * about a person. Each feature adds the kinds that it records by declaration merging in its `journal.ts`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add the kinds
export interface JournalKinds {}

/** Kinds that stored entries have and that nothing records: those of an import. */
// biome-ignore lint/suspicious/noEmptyInterface: features add the kinds
export interface FormerJournalKinds {}

export type JournalKind = keyof JournalKinds
export type SubjectKind = JournalKinds[JournalKind]['subject']

/** A value before and after. */
export type Change<Before = unknown, After = Before> = readonly [before: Before, after: After]
/** Changes of some fields of a record. */
export type Changes<Values = Record<string, unknown>> = { readonly [Name in keyof Values]?: Change<Values[Name]> }
/** What a list has more and less than before. */
export type ListChange<Item> = { readonly added?: readonly Item[]; readonly removed?: readonly Item[] }

/** The changes of these fields. */
export function pairChanges<
  Name extends string,
  Before extends { readonly [Each in Name]: unknown },
  After extends { readonly [Each in Name]: unknown },
>(names: readonly Name[], before: Before, after: After): { readonly [Each in Name]?: Change<Before[Each], After[Each]> } {
  const pairs = names.map((name) => [name, [before[name], after[name]]])
  return Object.fromEntries(pairs) as { [Each in Name]?: Change<Before[Each], After[Each]> }
}

type Part<Declared, Name extends string> = Declared extends { [N in Name]?: infer Value } ? Exclude<Value, undefined> : never

/** A value as JSON keeps it. */
export type Stored<Value> = unknown extends Value
  ? Value
  : Value extends Date
    ? string
    : Value extends object
      ? { readonly [Name in keyof Value]: Stored<Value[Name]> }
      : Value

type StoredPart<Kind extends JournalKind, Name extends 'changes' | 'personal'> = Kind extends JournalKind
  ? Name extends keyof JournalKinds[Kind]
    ? Stored<Part<JournalKinds[Kind], Name>>
    : Record<never, never>
  : never
export type StoredChanges<Kind extends JournalKind> = StoredPart<Kind, 'changes'>
export type StoredPersonal<Kind extends JournalKind> = StoredPart<Kind, 'personal'>
