import { isFixed, isKind, type Kind } from './kinds.ts'

/** What the link in a mail says. It opens nothing but this one switch. */
export type SwitchOff = { userId: number; kind: Kind }

const text = ({ userId, kind }: SwitchOff): string => `${userId}.${kind}`

/** What is signed: also what it is for, so that no other signature of ours can stand in its place. */
export const signedText = (wish: SwitchOff): string => `switch off mails ${text(wish)}`

export const tokenOf = (wish: SwitchOff, signature: string): string => `${text(wish)}.${signature}`

/** Undefined for anything that we cannot have written. */
export function readToken(token: string): { wish: SwitchOff; signature: string } | undefined {
  const [, id, kind = '', signature = ''] = /^([1-9]\d{0,14})\.([a-z_]{1,60})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || !isKind(kind) || isFixed(kind)) return undefined
  return { wish: { userId: Number(id), kind }, signature }
}
