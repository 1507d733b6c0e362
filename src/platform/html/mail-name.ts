/** Longer names are cut: a greeting is no place for a message. */
const MAX_NAME_LENGTH = 60

/**
 * A name as mails show it. Anybody can choose their name, and the mail comes from this site: what programs turn into links (addresses of
 * websites and mailboxes, also without `https://`) is taken apart, and nothing in it can break a line or hide.
 */
export function mailName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    // Invisible characters, except for those that letters of some scripts need.
    .replaceAll(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replaceAll(/[/\\@:|]/g, ' ')
    .replaceAll(/[.。]+(?=[^\s.。])/gu, '. ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const letters = [...plain]
  if (letters.length > MAX_NAME_LENGTH)
    return `${letters
      .slice(0, MAX_NAME_LENGTH - 1)
      .join('')
      .trimEnd()}…`
  return plain || '–'
}
