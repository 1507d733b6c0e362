import type { Page } from '#platform/http/page.ts'
import { pathFinder } from '#platform/http/path.ts'

/** A page that was requested: by whom, where, and what came back. */
export type Visit = {
  reader: string
  address: string
  status: number
  links: readonly string[]
  navigation: string
  /** Headings and legends with nothing below them. */
  empty: readonly string[]
}

const LINK = /\b(?:href|action|hx-get|hx-post)="(\/[^"#]*)/g
/** Served by others than pages. */
const NO_PAGE = /^\/(?:api|assets|oauth|styleguide)\/|^\/(?:manifest|service-worker|favicon)|^\/\.well-known\//
const HEADING_ONLY =
  /<section\b(?![^>]*\bhidden\b)[^>]*>\s*(?:<header\b[^>]*>(?:(?!<\/header>).)*<\/header>|<h2>[^<]*<\/h2>)?\s*<\/section>/gs
const LEGEND_ONLY = /<fieldset\b[^>]*>\s*<legend>[^<]*<\/legend>\s*<\/fieldset>/g

export function readVisit(reader: string, address: string, { status, body }: { status: number; body: string }): Visit {
  const links = [...body.matchAll(LINK)].map(([, path]) => path!.replaceAll('&amp;', '&').split('?')[0]!)
  return {
    reader,
    address,
    status,
    links: [...new Set(links)],
    navigation: [...body.matchAll(/<nav\b.*?<\/nav>/gs)].map(([nav]) => nav).join(''),
    empty: [HEADING_ONLY, LEGEND_ONLY].flatMap((pattern) => [...body.matchAll(pattern)].map(([text]) => text.slice(0, 120))),
  }
}

export type Finder = (path: string) => Page | undefined

/** Remembers what it found: the same links are on every page. */
export function finderOf(pages: readonly Page[]): Finder {
  const find = pathFinder(pages)
  const known = new Map<string, Page | undefined>()
  return (path) => {
    if (!known.has(path)) known.set(path, find(path))
    return known.get(path)
  }
}

/**
 * What is wrong with pages that were requested while these modules were off. `labels`: what the navigation called the pages of each module
 * when all were on.
 */
export function findProblems(
  visits: readonly Visit[],
  { find, off, labels }: { find: Finder; off: ReadonlySet<string>; labels: ReadonlyMap<string, readonly string[]> },
): string[] {
  const isOff = (path: string) => find(path)?.modules?.some((name) => off.has(name)) ?? false
  const words = [...off].flatMap((name) => labels.get(name) ?? [])
  return visits.flatMap(({ reader, address, status, links, navigation, empty }) => {
    const where = `${reader} at ${address}`
    if (status >= 500) return [`${where}: ${status}`]
    if (isOff(address.split('?')[0]!)) return status === 404 ? [] : [`${where}: ${status} instead of 404`]
    if (status !== 200) return []
    return [
      ...links.filter(isOff).map((link) => `${where}: links to ${link}, a page that is off`),
      ...links
        .filter((link) => !NO_PAGE.test(link) && !find(link))
        .map((link) => `${where}: links to ${link}, which does not exist`),
      ...empty.map((text) => `${where}: nothing below ${text}`),
      ...words.filter((word) => navigation.includes(`>${word}<`)).map((word) => `${where}: the navigation says ${word}`),
    ]
  })
}

/** How the navigation calls the pages of each module, if it calls no other page so. */
export function labelsOf(visits: readonly Visit[], find: Finder): Map<string, string[]> {
  const modulesOf = new Map<string, Set<string>>()
  const elsewhere = visits.filter(({ address }) => !find(address.split('?')[0]!)?.modules)
  for (const { navigation } of elsewhere)
    for (const [, path, inner] of navigation.matchAll(/<a\b[^>]*href="(\/[^"?#]*)[^"]*"[^>]*>(.*?)<\/a>/gs)) {
      const text = inner!.replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, ' ').trim()
      const modules = find(path!)?.modules ?? ['']
      if (text && !/\d/.test(text)) modulesOf.set(text, new Set([...(modulesOf.get(text) ?? []), ...modules]))
    }
  const own = [...modulesOf].flatMap(([text, names]) => (names.size === 1 ? [{ text, name: [...names][0]! }] : []))
  return new Map([...Map.groupBy(own, ({ name }) => name)].map(([name, all]) => [name, all.map(({ text }) => text)]))
}
