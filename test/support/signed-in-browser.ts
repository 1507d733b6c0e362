import { Browser } from '#features/sign-in/house.test.ts'
import type { Person } from './people.ts'
import { SITE_URL, type World } from './world.ts'

/** A browser without scripts in which somebody is signed in already, on the first page. */
export async function browserOf(world: World, person: Person): Promise<Browser> {
  const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
  const [name, value] = (await world.sessionCookie(person)).split('=')
  browser.cookies.set(name!, value!)
  await browser.get('/')
  return browser
}
