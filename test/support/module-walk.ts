import type { Page } from '#platform/http/page.ts'
import { pathFinder } from '#platform/http/path.ts'

/** A page that was requested: by whom, where, and what came back. */
export type Visit = { reader: string; address: string; status: number; body: string }

const LINK = /\b(?:href|action|hx-get|hx-post)="(\/[^"#]*)/g
/** Served by others than pages. */
const NO_PAGE = /^\/(?:api|assets|oauth|styleguide)\/|^\/(?:manifest|service-worker|favicon)|^\/\.well-known\//
const HEADING_ONLY = /<section\b[^>]*>\s*(?:<header\b[^>]*>(?:(?!<\/header>).)*<\/header>|<h2>[^<]*<\/h2>)?\s*<\/section>/gs
const LEGEND_ONLY = /<fieldset\b[^>]*>\s*<legend>[^<]*<\/legend>\s*<\/fieldset>/g

export const linksIn = (body: string): string[] => [
  ...new Set([...body.matchAll(LINK)].map(([, path]) => path!.replaceAll('&amp;', '&').split('?')[0]!)),
]

const navigationIn = (body: string): string => [...body.matchAll(/<nav\b.*?<\/nav>/gs)].map(([nav]) => nav).join('')

export type Finder = (path: string) => Page | undefined

export const finderOf = (pages: readonly Page[]): Finder => pathFinder(pages)

/**
 * What is wrong with pages that were requested while these modules were off. `labels`: what the navigation called the pages of each module
 * when all were on.
 */
export function findProblems(
  visits: readonly Visit[],
  { find, off, labels }: { find: Finder; off: ReadonlySet<string>; labels: ReadonlyMap<string, readonly string[]> },
): string[] {
  const isOff = (path: string) => find(path)?.modules?.some((name) => off.has(name)) ?? false
  return visits.flatMap(({ reader, address, status, body }) => {
    const path = address.split('?')[0]!
    const where = `${reader} at ${address}`
    if (status >= 500) return [`${where}: ${status}`]
    if (isOff(path)) return status === 404 ? [] : [`${where}: ${status} instead of 404`]
    if (status !== 200) return []
    const links = linksIn(body)
    const navigation = navigationIn(body)
    const words = [...off].flatMap((name) => labels.get(name) ?? [])
    return [
      ...links.filter(isOff).map((link) => `${where}: links to ${link}, a page that is off`),
      ...links.filter((link) => !NO_PAGE.test(link) && !find(link)).map((link) => `${where}: links to ${link}, which does not exist`),
      ...[...body.matchAll(HEADING_ONLY)].map(([text]) => `${where}: empty section ${text.slice(0, 120)}`),
      ...[...body.matchAll(LEGEND_ONLY)].map(([text]) => `${where}: empty group of fields ${text.slice(0, 120)}`),
      ...words.filter((word) => navigation.includes(`>${word}<`)).map((word) => `${where}: the navigation says ${word}`),
    ]
  })
}

/** How the navigation calls the pages of each module. */
export function labelsOf(visits: readonly Visit[], find: Finder): Map<string, string[]> {
  const labels = new Map<string, Set<string>>()
  for (const { body } of visits)
    for (const [, path, inner] of navigationIn(body).matchAll(/<a\b[^>]*href="(\/[^"?#]*)[^"]*"[^>]*>(.*?)<\/a>/gs))
      for (const name of find(path!)?.modules ?? []) {
        const text = inner!.replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, ' ').trim()
        if (text && !/\d/.test(text)) labels.set(name, (labels.get(name) ?? new Set()).add(text))
      }
  return new Map([...labels].map(([name, texts]) => [name, [...texts]]))
}
