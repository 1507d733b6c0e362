import { FEATURES, featureOf } from './imports.ts'
import { isTest, lineOf, type Source, withoutComments } from './source.ts'

const DEFINITION = /^ {2}'([^']+)':/gm
/** `t('key'` and `t(`prefix.${…`, and keys in the fields of a form. */
const USE = /(?:\bt\(\s*(?:'([^']+)'|`([^`$]+)\$\{))|\b(?:label|help|required|tooLong|placeholder): '(\w+\.[^' ]+)'/g

/** Uses of messages that belong to a feature which the using feature must not import. */
export function messageViolations(sources: Source[]): string[] {
  const ownerOf = new Map<string, string>()
  for (const { path, text } of sources.filter((source) => source.path.endsWith('/words.en.ts')))
    for (const [, key] of text.matchAll(DEFINITION)) ownerOf.set(key!, featureOf(path) ?? 'platform')
  const keys = [...ownerOf.keys()]
  return sources
    .filter((source) => !isTest(source) && featureOf(source.path) !== undefined)
    .flatMap(({ path, text }) => {
      const own = featureOf(path)!
      const allowed = FEATURES[own] ?? []
      const isAllowed = (owner: string) => [own, 'platform'].includes(owner) || allowed.includes(owner) || allowed.includes('*')
      const code = withoutComments(text)
      return [...code.matchAll(USE)].flatMap((found) => {
        const [, sentence, prefix, fieldKey] = found
        const key = sentence ?? fieldKey
        const owners = key ? [ownerOf.get(key)] : keys.filter((each) => each.startsWith(prefix!)).map((each) => ownerOf.get(each))
        if (owners.some((owner) => owner === undefined || isAllowed(owner))) return []
        return owners.length
          ? [`${path}:${lineOf(code, found.index)} uses ${key ?? `${prefix}…`}, a message of ${owners[0]}`]
          : []
      })
    })
}
