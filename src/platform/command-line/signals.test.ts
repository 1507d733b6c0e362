import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'

/** A command in one transaction that goes on with the next step when it reads a line. */
const COMMAND = `
  import { createInterface } from 'node:readline'
  import { exitOnSignal, interruptible } from ${JSON.stringify(new URL('./signals.ts', import.meta.url).href)}
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const step = async (name) => {
    console.log(name)
    await lines.next()
  }
  exitOnSignal()
  const code = await interruptible('Nothing was changed.', async (onCommit) => {
    await step('works')
    onCommit()
    await step('commits')
    return 0
  })
  await step('saved')
  console.error('Done.')
  process.exit(code)`

async function runUntil(stage: 'works' | 'commits' | 'saved'): Promise<{ child: ChildProcess; said: () => string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', COMMAND], { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === stage) break
    child.stdin.write('\n')
  }
  return { child, said: () => said }
}

async function codeOf(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'close')
  return code
}

describe('a command that a signal interrupts', () => {
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    test(`says that nothing was changed, and exits with ${code} after ${signal}`, async () => {
      const { child, said } = await runUntil('works')
      child.kill(signal)
      assert.equal(await codeOf(child), code)
      assert.equal(said(), 'Nothing was changed.\n')
    })

  test('waits for the commit, and says what it has done', async () => {
    const { child, said } = await runUntil('commits')
    child.kill('SIGTERM')
    await once(child.stderr!, 'data')
    child.stdin!.write('\n\n')
    assert.equal(await codeOf(child), 0)
    assert.equal(said(), 'Everything is being saved; the command ends when this is done.\nDone.\n')
  })

  test('exits during the commit after a second signal, without saying that nothing was changed', async () => {
    const { child, said } = await runUntil('commits')
    child.kill('SIGTERM')
    await once(child.stderr!, 'data')
    child.kill('SIGTERM')
    assert.equal(await codeOf(child), 143)
    assert.match(said(), /done\.\nInterrupted while everything was being saved\.\n$/)
  })

  test('says nothing about what it has saved before', async () => {
    const { child, said } = await runUntil('saved')
    child.kill('SIGTERM')
    assert.equal(await codeOf(child), 143)
    assert.equal(said(), '')
  })
})
