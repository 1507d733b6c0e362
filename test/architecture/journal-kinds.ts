import { KINDS } from '#test/support/notification-kinds.ts'
import { featureOf, USES } from './imports.ts'
import { isTest, lineOf, type Source, withoutComments } from './source.ts'

type Place = { kind: string; path: string; line: number }

const NAME = '[a-z]+(?:_[a-z]+)*\\.[a-z]+(?:_[a-z]+)*'
const DECLARATIONS = /interface (Former)?JournalKinds \{\n([\s\S]*?)\n {2}\}/g
const DECLARED = new RegExp(`^ {4}'(${NAME})':`, 'gm')
const LITERAL = new RegExp(`'(${NAME})'`, 'g')
/** Calls that read entries of the kinds that they name. */
const READERS = /\b(?:journalKind|getEntry|getOwnEntry)\([^)]*\)/g
/** Kinds in SQL that the compiler does not check. */
const BARE_SQL = new RegExp(`\\bkind(?: not)?(?: in \\(| like | = | <> )'(?:${NAME}|[a-z_]+\\.[^']*%)'`, 'g')
const COMMANDS = /^features\/[^/]+\/[^/]+\/commands[./]/

function placesIn({ path, text }: Source, pattern: RegExp): Place[] {
  return [...text.matchAll(pattern)].map((found) => ({ kind: found[1]!, path, line: lineOf(text, found.index) }))
}

function findDeclared(sources: Source[]): { recorded: Place[]; former: Place[] } {
  const found = sources
    .filter(({ path }) => /^features\/[^/]+\/[^/]+\/journal\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(DECLARATIONS)].flatMap(([, former, body]) =>
        placesIn({ path, text: body! }, DECLARED).map((place) => ({ ...place, isFormer: former !== undefined })),
      ),
    )
  return { recorded: found.filter(({ isFormer }) => !isFormer), former: found.filter(({ isFormer }) => isFormer) }
}

/** Kinds that calls of `record` and `recordAll` get: values of `kind`, and arguments of functions that build the entry. */
function findRecorded(sources: Source[]): Place[] {
  return sources
    .filter((source) => COMMANDS.test(source.path) && !isTest(source))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text).replaceAll(READERS, (call) => call.replaceAll(/[^\n]/g, ' '))
      return [...code.matchAll(LITERAL)].flatMap((found) => {
        const before = code.slice(0, found.index).trimEnd().at(-1) ?? ''
        const after = code.slice(found.index + found[0].length).trimStart()[0] ?? ''
        // Unions are types.
        return ':?,'.includes(before) && after !== '|' ? [{ kind: found[1]!, path, line: lineOf(code, found.index) }] : []
      })
    })
}

function findRead(sources: Source[]): Place[] {
  return sources
    .filter((source) => featureOf(source.path) !== undefined && !isTest(source))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(READERS)].flatMap((call) =>
        placesIn({ path, text: call[0] }, LITERAL).map(({ kind }) => ({ kind, path, line: lineOf(text, call.index) })),
      ),
    )
}

const triggers = KINDS.flatMap(({ name, ...kind }) =>
  Object.keys('triggers' in kind ? (kind.triggers ?? {}) : {}).map((trigger) => ({ kind: trigger, name })),
)

/** Kinds of journal entries that are declared, recorded and read differently. The compiler refuses kinds that nobody declares. */
export function journalKindViolations(sources: Source[]): string[] {
  const declared = findDeclared(sources)
  const recorded = findRecorded(sources)
  const owners = new Map(declared.recorded.map(({ kind, path }) => [kind, featureOf(path)!]))
  const isRecorded = (kind: string) => recorded.some((place) => place.kind === kind)
  const all = [...declared.recorded, ...declared.former]
  return [
    ...all
      .filter(({ kind }, index) => all.findIndex((other) => other.kind === kind) !== index)
      .map(({ kind, path }) => `${path} declares ${kind} again`),
    ...declared.recorded
      .filter(({ kind }) => !isRecorded(kind))
      .map(({ kind, path }) => `${path} declares ${kind}, which no command records`),
    ...declared.former
      .filter(({ kind }) => isRecorded(kind))
      .map(({ kind, path }) => `${path} declares ${kind} as former, but a command records it`),
    ...recorded.flatMap(({ kind, path, line }) => {
      const [own, owner] = [featureOf(path)!, owners.get(kind)]
      const isAllowed = owner === undefined || owner === own || USES[own]?.includes(owner)
      return isAllowed ? [] : [`${path}:${line} records ${kind}, which ${owner} declares`]
    }),
    ...findRead(sources)
      .filter(({ kind }) => !isRecorded(kind))
      .map(({ kind, path, line }) => `${path}:${line} reads ${kind}, which no command records`),
    ...sources
      .filter((source) => featureOf(source.path) !== undefined && !isTest(source))
      .flatMap(({ path, text }) =>
        [...text.matchAll(BARE_SQL)].map((found) => `${path}:${lineOf(text, found.index)} names a kind without journalKind()`),
      ),
  ]
}

/** Triggers of notifications that never fire. */
export function idleTriggers(sources: Source[]): string[] {
  const recorded = new Set(findRecorded(sources).map(({ kind }) => kind))
  return triggers.filter(({ kind }) => !recorded.has(kind)).map(({ kind, name }) => `${name} waits for ${kind}`)
}
