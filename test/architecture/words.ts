import { featureOf, USES } from './imports.ts'
import { importsOf, isTest, lineOf, type Source, targetOf, withoutComments } from './source.ts'

const DEFINITION = /^ {2}'([^']+)':/gm
/** `t('key'` and `t(`prefix.${…`, and keys in the fields of a form. */
const USE = /(?:\bt\(\s*(?:'([^']+)'|`([^`$]+)\$\{))|\b(?:label|help|required|tooLong|placeholder): '(\w+\.[^' ]+)'/g

type Use = { path: string; line: number; message: string; owners: (string | undefined)[] }

/** Where files of features show messages, and whose messages these are; undefined for texts that only look like a message. */
function usesOfMessages(sources: Source[]): Use[] {
  const ownerOf = new Map<string, string>()
  for (const { path, text } of sources.filter((source) => source.path.endsWith('/words.en.ts')))
    for (const [, key] of text.matchAll(DEFINITION)) ownerOf.set(key!, featureOf(path) ?? 'platform')
  const keys = [...ownerOf.keys()]
  return sources
    .filter((source) => !isTest(source) && featureOf(source.path) !== undefined)
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return [...code.matchAll(USE)].map((found) => {
        const [, sentence, prefix, fieldKey] = found
        const key = sentence ?? fieldKey
        const owners = key ? [ownerOf.get(key)] : keys.filter((each) => each.startsWith(prefix!)).map((each) => ownerOf.get(each))
        return { path, line: lineOf(code, found.index), message: key ?? `${prefix}…`, owners }
      })
    })
}

/** Uses of messages that belong to a feature which the using feature must not import. */
export function messageViolations(sources: Source[]): string[] {
  return usesOfMessages(sources).flatMap(({ path, line, message, owners }) => {
    const own = featureOf(path)!
    const isAllowed = (owner: string) => [own, 'platform'].includes(owner) || USES[own]?.includes(owner)
    if (owners.length === 0 || owners.some((owner) => owner === undefined || isAllowed(owner))) return []
    return [`${path}:${line} uses ${message}, a message of ${owners[0]}`]
  })
}

/** Declared features of which a feature imports nothing and shows no message. */
export function unneededUses(sources: Source[]): string[] {
  const needed = new Set<string>()
  for (const source of sources.filter((each) => !isTest(each)))
    for (const { specifier } of importsOf(source).filter((each) => !each.specifier.endsWith('/feature.ts')))
      needed.add(`${featureOf(source.path)} uses ${featureOf(targetOf(source.path, specifier) ?? '')}`)
  for (const { path, owners } of usesOfMessages(sources))
    for (const owner of owners) needed.add(`${featureOf(path)} uses ${owner}`)
  return Object.entries(USES)
    .flatMap(([name, uses]) => uses.map((used) => `${name} uses ${used}`))
    .filter((use) => !needed.has(use))
}
