/** Stands where a text named an erased person. */
export const REDACTED = '…'

type IdentifyingTexts = { names: readonly string[]; addresses: readonly string[] }

const MIN_ADDRESS_LENGTH = 5
const MIN_SINGLE_NAME_LENGTH = 6

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A single short name can be an ordinary word or the name of others, so texts keep it. */
const isDistinct = (name: string): boolean => /\s/.test(name) || name.length >= MIN_SINGLE_NAME_LENGTH

/**
 * A regular expression of the database that finds what identifies a person: e-mail addresses and phone numbers anywhere, names as whole
 * words. Undefined if there is nothing to look for.
 */
export function patternOf({ names, addresses }: IdentifyingTexts): string | undefined {
  const parts = [
    ...addresses.filter((text) => text.length >= MIN_ADDRESS_LENGTH).map(escapePattern),
    ...names.filter(isDistinct).map((name) => `(?<![[:alnum:]])${escapePattern(name)}(?![[:alnum:]])`),
  ]
  return parts.length ? `(?i)(?:${[...new Set(parts)].join('|')})` : undefined
}
