import { PASSWORDS } from './demo-instance.ts'
import { findEveryPage, type TestApp } from './every-page.ts'
import { Browser } from './http-browser.ts'

type Reader = keyof typeof PASSWORDS | 'nobody'
export type PageSource = { reader: Reader; address: string; markup: string }

/** Pages that a volunteer and a planner see differently from an administrator. */
const OWN_PAGES = [
  '/',
  '/shifts/',
  '/events/',
  '/events/calendar/',
  '/my-shifts/',
  '/notifications/',
  '/settings/',
  '/settings/profile/',
  '/settings/notifications/',
]

/** The documents of all pages as an administrator reads them, and of the daily ones as a volunteer and a planner do. No script has run. */
export async function readEveryPage(testApp: TestApp): Promise<PageSource[]> {
  // First: pages that are visited give Ann a second factor.
  const browsers = {
    nobody: await openAs(testApp, 'nobody'),
    olga: await openAs(testApp, 'olga'),
    paul: await openAs(testApp, 'paul'),
    ann: await openAs(testApp, 'ann'),
  }
  const places = [...new Set(await findEveryPage(testApp))].filter((place) => !place.startsWith('/accounts/logout'))
  const isForAnonymous = (place: string) => /^\/(accounts|join)\//.test(place)
  const ofEvents = places.filter((place) => /^\/(events\/\d+\/(grid\/)?|check-in\/.*)$/.test(place))
  const wanted: [Reader, string[]][] = [
    ['nobody', places.filter(isForAnonymous)],
    ['olga', places.filter((place) => !isForAnonymous(place))],
    ['paul', [...OWN_PAGES, '/planning/', ...ofEvents]],
    ['ann', [...OWN_PAGES, ...ofEvents]],
  ]
  const sources: PageSource[] = []
  for (const [reader, addresses] of wanted) {
    for (const address of addresses) {
      const { headers, body } = await browsers[reader].get(address)
      if (String(headers['content-type']).startsWith('text/html') && body !== '') sources.push({ reader, address, markup: body })
    }
  }
  return sources
}

async function openAs({ origin }: TestApp, reader: Reader): Promise<Browser> {
  const { host, port } = new URL(origin)
  const browser = new Browser({ port: Number(port) }, { host })
  if (reader !== 'nobody') await browser.signIn(PASSWORDS[reader], `${reader}@demo.example`)
  return browser
}
