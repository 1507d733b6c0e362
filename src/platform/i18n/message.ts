/** Of Unicode CLDR. Sources have `one` and `other`; translations the forms of their language. */
export type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
export type Plural = { readonly other: string } & { readonly [Form in PluralForm]?: string }
/** A sentence, or its forms chosen by `count`. `{name}` stands for a value. */
export type Message = string | Plural
export type Messages = Readonly<Record<string, Message>>

/** All keys of the English messages with their kinds of message, in another language. */
export type Translation<R extends Messages> = {
  readonly [K in keyof R]: R[K] extends string ? string : { readonly one: string; readonly other: string }
}

type NamesIn<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
export type Placeholders<M extends Message> = M extends { one: infer One; other: infer Other }
  ? NamesIn<One> | NamesIn<Other> | 'count'
  : NamesIn<M>

/** Every text of the message. */
export const textsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message))

export function placeholdersOf(message: Message): string[] {
  const text = textsOf(message).join(' ')
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!))].sort()
}

export function fillMessage(text: string, value: (name: string) => string): string {
  return text.replace(/\{(\w+)\}/g, (_whole, name: string) => value(name))
}
