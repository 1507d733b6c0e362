import { test } from 'node:test'
import { writeFileSync } from 'node:fs'
import { cookieNames } from '#platform/http/cookies.ts'
import { openBrowser, axeProblems, overflowing } from '#test/browser.ts'
import { asked, authorizeUrl, openInstance, pkce } from '#test/oauth.ts'
import { ANN, OLGA } from '#test/people.ts'

test('shots', async () => {
  const instance = await openInstance()
  const client = await instance.hasClient({ name: 'Rota viewer', scopes: ['openid', 'profile', 'email', 'PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ', 'ME_WRITE'] })
  const old = await instance.hasClient({ name: 'Vehicle log', trusted: true })
  await instance.tokens(ANN, old, 'openid ME_READ PUBLIC_READ')
  const found = await openBrowser()
  for (const [width, scheme, lang] of [[360, 'light', 'en'], [360, 'dark', 'de'], [1280, 'light', 'de'], [1280, 'dark', 'en']] as const) {
    const context = await found.browser!.newContext({ viewport: { width, height: 760 }, colorScheme: scheme, locale: lang })
    const page = await context.newPage()
    page.on('console', (m) => console.log('CONSOLE', m.type(), m.text()))
    const as = async (person: typeof ANN) => {
      await instance.db.write.updateTable('user_profile').set({ preferred_language: lang }).where('id', '=', person.id).execute()
      const b = await instance.browserOf(person)
      await context.addCookies([{ name: cookieNames(instance.base).session, value: b.sessionId, url: instance.base }])
    }
    const shot = async (name: string, path?: string) => {
      if (path) await page.goto(instance.base + path)
      await page.screenshot({ path: `/tmp/shots/${name}-${width}-${scheme}.png`, fullPage: true })
      console.log(name, width, scheme, await axeProblems(page), await overflowing(page))
    }
    await as(ANN)
    await shot('consent', authorizeUrl(asked(client, pkce().challenge, { scope: 'openid profile ME_READ PUBLIC_READ ME_WRITE' })))
    await shot('again', authorizeUrl(asked(client, pkce().challenge, { prompt: 'login' })))
    await shot('error', authorizeUrl(asked(client, pkce().challenge, { redirect_uri: 'https://evil.example/' })))
    await shot('granted', '/settings/applications/')
    await as(OLGA)
    await shot('granted-empty', '/settings/applications/')
    await shot('manage', '/manage/applications/')
    await shot('new', '/manage/applications/new/')
    await page.fill('[name=redirect_uris]', 'http://app.example/x')
    await page.click('main form button.primary')
    await page.waitForSelector('.error-summary')
    await shot('new-refused')
    await shot('edit', `/manage/applications/${client.id}/`)
    await shot('delete', `/manage/applications/${client.id}/delete/`)
    await page.goto(`${instance.base}/manage/applications/${client.id}/secret/`)
    await page.click('main form button.danger')
    await page.waitForSelector('#client-secret')
    await shot('secret')
    await context.close()
  }
  await found.browser!.close()
  writeFileSync('/tmp/shots/log.txt', instance.logLines.join(''))
})
