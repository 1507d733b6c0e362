/** Lower-case ASCII of the title: diacritics are removed, other non-ASCII characters dropped. */
export function slugOf(title: string, id: number): string {
  const slug = title
    .normalize('NFKD')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
    .replaceAll(/[^\u0000-\u007f]/g, '')
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/[-\s]+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
  return slug || String(id)
}

export const eventPath = (id: number, title: string): string => `/events/${id}-${slugOf(title, id)}/`
