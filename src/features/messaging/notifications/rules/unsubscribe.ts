type Unsubscription = { userId: number; kinds: readonly string[] }

const format = ({ userId, kinds }: Unsubscription): string => `${userId}.${kinds.join('~')}`

/** Names the purpose, so that a signature made for something else cannot be used here. */
export const textToSign = (unsubscription: Unsubscription): string => `switch off mails ${format(unsubscription)}`

export const formatToken = (unsubscription: Unsubscription, signature: string): string => `${format(unsubscription)}.${signature}`

/** Undefined if the token is malformed. The signature is not checked here. */
export function parseToken(token: string): (Unsubscription & { signature: string }) | undefined {
  const [, id, kinds = '', signature = ''] = /^([1-9]\d{0,14})\.([a-z0-9_~]{1,600})\.([\w-]{43})$/.exec(token) ?? []
  return id === undefined ? undefined : { userId: Number(id), kinds: kinds.split('~'), signature }
}
