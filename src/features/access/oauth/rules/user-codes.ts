/** The library shows codes of these letters, in two groups of four: no vowels, so no words. */
const USER_CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/

/** As people type it: small letters, with or without blanks and dashes. Undefined: no code can look like this. */
export function readUserCode(text: string): string | undefined {
  const letters = text.toUpperCase().replace(/[\s\p{Pd}]/gu, '')
  return USER_CODE.test(letters) ? letters : undefined
}

export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`
