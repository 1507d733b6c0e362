import { Problem } from './problem.ts'

/** Names of path parameters that hold decimal ids. */
const ID_NAMES = ['id', 'user', 'event', 'shift', 'delivery', 'child', 'mapping'] as const
type IdName = (typeof ID_NAMES)[number]

/** A segment such as `12-summer-fair`: the id decides, the words after it are for people who read the URL. */
export type SlugId = { id: number; segment: string }

/**
 * The parameters of a path template such as `/events/{event}/`. Id names are numbers, `{event:slug}` is an id that words may
 * follow, everything else is text.
 */
export type PathOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? ParameterOf<Name> & PathOf<Rest>
  : unknown

type ParameterOf<Text extends string> = Text extends `${infer Name}:slug`
  ? { [K in Name]: SlugId }
  : { [K in Text]: K extends IdName ? number : string }

const PARAMETER = /\{(\w+)(:slug)?\}/g
const PARAMETER_PLACE = /\{\w+(?::slug)?\}/

/** The template as the router spells it: `/events/:event/`. */
export const routeUrl = (path: string): string => path.replaceAll(PARAMETER, ':$1')

/** Finds the value whose template matches a path. A segment that is written out comes before a parameter, as in the router. */
export function pathFinder<Value extends { path: string }>(values: readonly Value[]): (path: string) => Value | undefined {
  const rank = (path: string) =>
    path
      .split('/')
      .map((segment) => (segment.startsWith('{') ? '1' : '0'))
      .join('')
  const patterns = values
    .toSorted((a, b) => rank(a.path).localeCompare(rank(b.path)))
    .map((value) => {
      const parts = value.path.split(PARAMETER_PLACE).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      return { value, pattern: new RegExp(`^${parts.join('[^/]+')}$`) }
    })
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.value
}

export const pathParameters = (path: string): { name: string; isId: boolean }[] =>
  [...path.matchAll(PARAMETER)].map(([, name]) => ({ name: name!, isId: isIdName(name!) }))

const isIdName = (name: string): boolean => (ID_NAMES as readonly string[]).includes(name)

type Segments = Readonly<Record<string, string>>

/** 404 for ids with a dot and users that are no number: such paths do not exist, whoever asks. Other ids are looked up. */
export function checkPathShape(segments: Segments): void {
  for (const [name, text] of Object.entries(segments)) {
    const isShaped = name === 'user' ? parseApiId(text) !== undefined : !isIdName(name) || !text.includes('.')
    if (!isShaped) throw new Problem('not_found')
  }
}

/** Parameters of an API path; 404 if an id is no number. Blanks around and zeros before an id are tolerated. */
export function readApiPath(segments: Segments): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(segments).map(([name, text]) => [name, isIdName(name) ? required(parseApiId(text)) : text]),
  )
}

/** Parameters of a page path; 404 if an id is no number. */
export function readPagePath(path: string, segments: Segments): Record<string, string | number | SlugId> {
  return Object.fromEntries(
    [...path.matchAll(PARAMETER)].map(([, name, slug]) => {
      const segment = segments[name!]!
      if (slug) return [name, { id: required(parseSlugId(segment)), segment }]
      return [name, isIdName(name!) ? required(parsePageId(segment)) : segment]
    }),
  )
}

function required(id: number | undefined): number {
  if (id === undefined) throw new Problem('not_found')
  return id
}

function parseApiId(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^\d{1,25}$/.test(trimmed)) return undefined
  const id = Number(trimmed)
  return Number.isSafeInteger(id) ? id : undefined
}

export function parsePageId(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function parseSlugId(text: string): number | undefined {
  const digits = /^(\d{1,15})(?:-|$)/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
