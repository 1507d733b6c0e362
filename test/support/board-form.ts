import assert from 'node:assert/strict'
import { checkMarkup } from '#test/support/markup.ts'
import { PAUL } from '#test/support/people.ts'
import type { World } from '#test/support/world.ts'

/** The fields of a board that a browser without scripts would send. */
export function fieldsOf(text: string): Record<string, string> {
  const form = /<form class="dispo[^"]*"[\s\S]*<\/form>/.exec(text)![0]
  const unescaped = (value: string) => value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
  const fields: Record<string, string> = {}
  for (const [input] of form.matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(input)?.[1]
    const name = attribute('name')
    if (!name || (attribute('type') === 'checkbox' && !/\schecked/.test(input))) continue
    fields[name] = unescaped(attribute('value') ?? (attribute('type') === 'checkbox' ? 'on' : ''))
  }
  for (const [, name, options] of form.matchAll(/<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    const all = [...options!.matchAll(/<option ([^>]*)>/g)].map(([, each]) => each!)
    const selected = all.find((each) => /(^| )selected/.test(each)) ?? all[0]!
    fields[name!] = unescaped(/value="([^"]*)"/.exec(selected)?.[1] ?? '')
  }
  return fields
}

/** Sends a board as it was read, with these changes. */
export function poster(world: World) {
  return async (text: string, path: string, changes: Record<string, string>, who = PAUL) => {
    const session = await world.sessionCookie(who)
    const { headers, text: home } = await world.with({ cookie: session }).get('/', { unchecked: true })
    const device = headers['set-cookie']!.split(';')[0]!
    const token = /name="csrf_token" value="([^"]+)"/.exec(home)![1]!
    const body = new URLSearchParams({ ...fieldsOf(text), csrf_token: token, ...changes }).toString()
    const caller = world.with({ cookie: `${session}; ${device}`, 'content-type': 'application/x-www-form-urlencoded' })
    const answer = await caller.request('POST', path, { body, unchecked: true })
    if (answer.text) assert.deepEqual(checkMarkup(answer.text), [])
    const flash = /flash=([^;.]+)\./i.exec(answer.headers['set-cookie'] ?? '')?.[1]
    return { ...answer, flash: flash && JSON.parse(Buffer.from(flash, 'base64url').toString()).text }
  }
}
