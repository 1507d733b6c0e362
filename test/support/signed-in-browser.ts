import { Browser } from './http-browser.ts'
import type { Person } from './people.ts'
import { SITE_URL, type World } from './world.ts'

/** A browser in which this person is already signed in, on the home page. */
export async function browserOf(world: World, person: Person): Promise<Browser> {
  const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
  const [name, value] = (await world.sessionCookie(person)).split('=')
  browser.cookies.set(name!, value!)
  await browser.get('/')
  return browser
}
