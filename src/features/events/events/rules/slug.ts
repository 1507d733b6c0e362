import { remembered } from '#platform/remembered.ts'

/** Lists name the same events again and again. */
const wordsOf = remembered(
  (title) =>
    title
      .normalize('NFKD')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
      .replaceAll(/[^\u0000-\u007f]/g, '')
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/[-\s]+/g, '-')
      .replaceAll(/^[-_]+|[-_]+$/g, ''),
  2_000,
)

/** Lower-case ASCII of the title: diacritics are removed, other non-ASCII characters dropped. */
export const slugOf = (title: string, id: number): string => wordsOf(title) || String(id)

export const eventPath = (id: number, title: string): string => `/events/${id}-${slugOf(title, id)}/`
