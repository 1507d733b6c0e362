/** For comparing what people call columns, groups and qualifications: without case, accents, spaces and punctuation. */
export const foldName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
