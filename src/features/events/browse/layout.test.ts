import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, HELPERS, OLGA, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

describe('the frame of a page', async () => {
  const world = await openWorld()
  const pageOf = async (person: Person, path = '/') => (await (await browserOf(world, person)).get(path)).body
  const labelsIn = (text: string, start: string, end: string): string[] => {
    const part = text.split(start)[1]?.split(end)[0]
    assert.ok(part, start)
    return [...part.matchAll(/class="menu-item"[^>]*>.*?<span>([^<]+)<\/span>/g)].map(([, label]) => label!)
  }

  test('has four places for people who take part, the own shifts among them', async () => {
    const home = await pageOf(ANN)
    assert.deepEqual(labelsIn(home, '<nav class="bottom-bar"', '</nav>'), ['Home', 'Find shifts', 'My shifts', 'Calendar'])
    assert.deepEqual(labelsIn(home, '<nav class="top-nav"', '</nav>'), ['Home', 'Find shifts', 'My shifts', 'Calendar'])
    for (const path of ['/shifts/', '/events/'])
      assert.match(await pageOf(ANN, path), /href="\/shifts\/" aria-current="page"/, path)
    const own = await pageOf(ANN, '/my-shifts/')
    assert.match(own, /href="\/my-shifts\/" aria-current="page"/)
  })

  test('has the list of events for those who plan', async () => {
    const home = await pageOf(OLGA, '/events/')
    assert.deepEqual(labelsIn(home, '<nav class="top-nav"', '</nav>').slice(3, 5), ['Calendar', 'Events'])
    assert.match(home, /href="\/events\/" aria-current="page"/)
    assert.doesNotMatch(home, /href="\/shifts\/" aria-current="page"/)
  })

  test('marks one place: of an event and its shifts the list of events, for people who do not plan the list of shifts', async () => {
    const { id, shifts } = await world.addEvent({ title: 'Night watch', seenBy: [HELPERS], shifts: [{}] })
    const marked = async (person: Person, path: string): Promise<string[]> =>
      [...(await pageOf(person, path)).split('<nav class="bottom-bar"')[0]!.matchAll(/href="([^"]+)" aria-current="page"/g)].map(
        ([, href]) => href!,
      )
    for (const path of [`/shifts/${shifts[0]}/ask/`, `/shifts/${shifts[0]}/disposition/`, `/events/${id}/shifts/`])
      assert.deepEqual(await marked(OLGA, path), ['/events/'], path)
    assert.deepEqual(await marked(OLGA, '/shifts/'), ['/shifts/'])
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    assert.deepEqual(await marked(ANN, `/shifts/${shifts[0]}/stand-in/`), ['/shifts/'])
  })

  test('has at most seven entries in the menu of the account; the rest is behind one of them', async () => {
    const home = await pageOf(ANN)
    const menu = home.split('<details class="menu person"')[1]!.split('<div class="theme-switch"')[0]!
    const [shown, folded] = menu.split('<details class="menu-more"') as [string, string]
    const places = (text: string) => [...text.matchAll(/<a class="menu-item" href="([^"]+)"/g)].map(([, href]) => href!)
    // The rest and signing out are two more.
    assert.ok(places(shown).length <= 5, places(shown).join(' '))
    assert.deepEqual(places(folded), [
      '/settings/answers/',
      '/settings/calendar/',
      '/settings/tokens/',
      '/settings/assistants/',
      '/settings/applications/',
      '/settings/webhooks/',
      '/settings/data/',
    ])
    assert.match(folded, /^\s*><summary/)
    assert.match(await pageOf(OLGA, '/settings/tokens/'), /<details class="menu-more" open>/)
  })

  test('leads to the events of other organisations from the list, if there are partners', async () => {
    assert.doesNotMatch(await pageOf(ANN, '/events/'), /\/events\/external\//)
    await world.db.write
      .insertInto('federated_host')
      .values({ name: 'Nord', url: 'https://nord.example', access_token_sealed: 'x' })
      .execute()
    assert.match(await pageOf(ANN, '/events/'), /href="\/events\/external\/"[^>]*>.*Events of other organisations/)
    assert.doesNotMatch(await pageOf(ANN), /\/events\/external\//)
  })
})
