import type { RequestContext } from '#platform/auth/context.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { offeredLanguages } from '#platform/i18n/offered.ts'
import { extensionPoint } from './extension-points.ts'

/** Kind of record, such as `event`. */
export type TextOwner = 'event' | 'page' | 'question'

/** By record and field. `original`: the text that was translated. */
export type OwnTexts = ReadonlyMap<number, ReadonlyMap<string, { original: string; text: string }>>

type PageLink = { href: string; label: string }
/** A request, or the delivery of a mail. */
export type Reading = Pick<RequestContext, 'db' | 'site' | 'words'>
type Asked = { owner: TextOwner; ids: readonly number[]; language: Language }

/** Texts that an organisation has written, in another language. */
export const ownTexts = extensionPoint<{
  find: (context: Pick<RequestContext, 'db'>, asked: Asked) => Promise<OwnTexts>
  /** The page on which they are translated. Undefined: nothing to choose from. */
  link: (context: RequestContext, owner: TextOwner, id: number) => PageLink | undefined
}>('platform.own-texts')

type TextOf = (id: number, field: string, original: string) => string
const AS_WRITTEN: TextOf = (_id, _field, original) => original

/** The language in which an organisation writes. Undefined: it has chosen none, so everybody reads in the language of their browser. */
export const writtenLanguage = ({ site }: Pick<RequestContext, 'site'>): Language | undefined => site.defaultLanguage

/** Languages into which an organisation can translate what it writes. */
export const otherLanguages = (context: Pick<RequestContext, 'site'>): Language[] =>
  offeredLanguages(context.site).filter((language) => language !== writtenLanguage(context))

/**
 * Texts in the language of the reader. A text that has changed since it was translated is shown as it was written. One statement, and none
 * for those who read the language of the organisation.
 */
export async function findOwnTexts(context: Reading, owner: TextOwner, ids: readonly number[]): Promise<TextOf> {
  const { language } = context.words
  const [source] = context.site.added(ownTexts)
  if (!source || !ids.length || !otherLanguages(context).includes(language)) return AS_WRITTEN
  const found = await source.find(context, { owner, ids: [...new Set(ids)], language })
  return (id, field, original) => {
    const translated = found.get(id)?.get(field)
    return translated?.original === original ? translated.text : original
  }
}

export const linkToTranslations = (context: RequestContext, owner: TextOwner, id: number) =>
  context.site.added(ownTexts)[0]?.link(context, owner, id)
