import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PERMISSIONS, type Permission } from '#platform/auth/permissions.ts'
import { pagesOf } from '#platform/features/compose.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { demoOptions } from '#test/support/demo-instance.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { makeRuntime } from '../../src/app-options.ts'

/** Which permission opens each page with which resources, files, pages, questions and building blocks are managed. */
const DECLARED: Record<string, Permission | 'signed-in'> = {
  '/manage/blocks/': 'change_building_block',
  '/manage/files/': 'change_file',
  '/manage/files/new/': 'add_file',
  '/manage/files/{id}/': 'change_file',
  '/manage/files/{id}/delete/': 'delete_file',
  '/manage/files/{id}/edit/': 'change_file',
  '/manage/pages/': 'change_page',
  '/manage/pages/new/': 'add_page',
  '/manage/pages/{id}/': 'change_page',
  '/manage/pages/{id}/delete/': 'delete_page',
  '/manage/pages/{id}/languages/': 'change_page',
  '/manage/questions/': 'view_question',
  '/manage/questions/new/': 'add_question',
  '/manage/questions/{id}/': 'change_question',
  '/manage/questions/{id}/archive/': 'change_question',
  '/manage/questions/{id}/delete/': 'delete_question',
  '/manage/questions/{id}/languages/': 'change_question',
  '/manage/resources/': 'view_resource',
  '/manage/resources/categories/new/': 'add_resource',
  '/manage/resources/categories/{id}/': 'change_resource',
  '/manage/resources/categories/{id}/delete/': 'delete_resource',
  '/manage/resources/new/': 'add_resource',
  // Planners need to know what is free, so the page itself checks.
  '/manage/resources/week/': 'signed-in',
  '/manage/resources/{id}/': 'change_resource',
  '/manage/resources/{id}/delete/': 'delete_resource',
}
const AREAS = /^\/manage\/(files|pages|questions|resources)\/|^\/manage\/blocks\/$/

describe('pages that a permission opens', async () => {
  const world = await openWorld()
  const { url, drop } = await freshDatabase()
  const db = openTestDatabase({ url })
  const pages = pagesOf(makeRuntime(demoOptions(url, db)))
  await db.close()
  await drop()

  test('are all in the list, with their permission', () => {
    const declared = pages
      .filter(({ path }) => AREAS.test(path))
      .map(({ path, access }) => [path, access.kind === 'permission' ? access.permission : access.kind])
    assert.deepEqual(Object.fromEntries(declared), DECLARED)
  })

  const lists = Object.entries(DECLARED).filter(([path]) => !path.includes('{') && path !== '/manage/resources/week/')
  for (const permission of PERMISSIONS) {
    const opened = lists.filter(([, needed]) => needed === permission).map(([path]) => path)
    if (!opened.length) continue
    test(`${permission} opens ${opened.join(', ')} and nothing else of these areas`, async () => {
      const person = await world.addPerson({ name: `With ${permission}`, permissions: [permission] })
      const browser = await browserOf(world, person)
      for (const [path] of lists) assert.equal((await browser.get(path)).statusCode, opened.includes(path) ? 200 : 403, path)
    })
  }

  test('are open to administrators, who need no grant, and to nobody else', async () => {
    const staff = await browserOf(world, await world.addPerson({ name: 'Stella', isStaff: true }))
    const member = await browserOf(world, await world.addPerson({ name: 'Mia' }))
    for (const [path] of lists) {
      assert.equal((await staff.get(path)).statusCode, 200, path)
      assert.equal((await member.get(path)).statusCode, 403, path)
    }
  })
})
