import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Scope } from '#platform/auth/scopes.ts'
import { ANN, BEN, HELPERS, OLGA, type Person } from '#test/support/people.ts'
import { addressOf, REACHABLE } from '#test/support/typed-client.ts'
import { openWorld } from '#test/support/world.ts'

const folder = fileURLToPath(new URL('../../clients/python/', import.meta.url))
const version = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 11))'], { encoding: 'utf8' })
const skip = version.stdout?.trim() === 'True' ? false : 'python3 3.11 or newer is not installed'
if (skip) console.log(`the Python client is not run, ${skip}`)

describe('the Python client', { skip }, async () => {
  const world = await openWorld(REACHABLE)
  const scratch = mkdtempSync(join(tmpdir(), 'turnout-python-'))
  after(() => rmSync(scratch, { recursive: true, force: true }))
  const instant = {
    flow: 'instant_confirmation',
    flowConfiguration: { user_can_decline_confirmed: true },
    configuration: { minimum_number_of_participants: 2 },
    stats: { missing: 2, min: 2 },
  }
  await world.addEvent({
    seenBy: [HELPERS],
    title: 'Harbour run',
    shifts: [
      { ...instant, label: 'Marshals' },
      { ...instant, label: 'Boats', start: '2031-05-05T08:00:00+02:00' },
    ],
  })

  const run = async (file: string, person: Person, scopes: Scope[], args: string[] = []) => {
    const env = {
      PATH: process.env.PATH,
      PYTHONPATH: join(folder, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONIOENCODING: 'utf-8',
      TURNOUT_URL: addressOf(world),
      TURNOUT_TOKEN: await world.token(person, scopes),
    }
    const child = spawn('python3', ['-W', 'error', file, ...args], { cwd: scratch, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const closed = once(child, 'close')
    const [[code], stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)])
    return { code, stdout, stderr }
  }
  const succeed = async (...given: Parameters<typeof run>): Promise<string> => {
    const { code, stdout, stderr } = await run(...given)
    assert.equal(code, 0, stdout + stderr)
    return stdout
  }
  const example = (name: string) => join(folder, 'examples', name)
  const script = (content: string) => {
    const file = join(scratch, 'script.py')
    writeFileSync(file, content)
    return file
  }

  test('runs every block of the README', async () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    const blocks = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, block]) => block!)
    assert.ok(blocks.length >= 7)
    const printed = await succeed(script(blocks.join('\n')), BEN, ['PUBLIC_READ', 'ME_READ', 'ME_WRITE'])
    assert.match(printed, /^Ben sees Harbour run with 2 shifts\n/)
    assert.match(printed, /\nconfirmed confirmed\n200 2\nrefused \['already_in'\]\n\S+ \w+ \d+ (created|visible|updated)\n$/)
  })

  test('plans an event, and tells all mistakes', async () => {
    const scopes: Scope[] = ['PUBLIC_READ', 'PUBLIC_WRITE']
    const times = ['2031-06-01T08:00:00+02:00', '2031-06-01T12:00:00+02:00']
    const printed = await succeed(example('plan_event.py'), OLGA, scopes, ['River clean-up', 'Pier 4', ...times])
    assert.match(printed, /^https:\/\/a\.example\/events\/\d+-river-clean-up\/\n$/)
    const wrong = await run(example('plan_event.py'), OLGA, scopes, ['', 'Pier 4', ...times.reverse()])
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^\/title: .+\n\/shifts\/0\/end_time: .+\n$/)
  })

  test('signs up for what fits, and says what stands against it', async () => {
    const signUp = () => succeed(example('sign_up_bot.py'), ANN, ['PUBLIC_READ', 'ME_READ', 'ME_WRITE'], ['harbour'])
    assert.match(await signUp(), /Marshals: confirmed\n.*Boats: confirmed\n$/)
    assert.match(await signUp(), /Boats: You are already signed up/)
  })

  test('keeps a copy of events by the feed', async () => {
    const mirror = () => succeed(example('mirror.py'), ANN, ['PUBLIC_READ'], ['events.json', '--once'])
    const copy = () => JSON.parse(readFileSync(join(scratch, 'events.json'), 'utf8')).events
    await mirror()
    const titles = () => Object.values<{ title: string }>(copy()).map(({ title }) => title)
    assert.ok(titles().includes('Harbour run'))
    const added = await world.addEvent({ seenBy: [HELPERS], title: 'Late addition', shifts: [instant] })
    await mirror()
    assert.ok(titles().includes('Late addition'))
    await world.db.write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', added.id).execute()
    await mirror()
    assert.ok(!titles().includes('Late addition'))
  })

  test('walks through pages, encodes values and sends the key of a repeated POST', async () => {
    const program = `
import os
from turnout_client import ProblemError, TurnoutClient
client = TurnoutClient(os.environ["TURNOUT_URL"], lambda: os.environ["TURNOUT_TOKEN"])
print(len(list(client.pages(client.shifts_list, limit=1))) == client.shifts_list()["count"])
first = client.request("POST", "/api/users/me/working-hours/", body={"date": "2031-04-30", "hours": 1, "reason": "a"}, idempotency_key="k-1")
again = client.request("POST", "/api/users/me/working-hours/", body={"date": "2031-04-30", "hours": 1, "reason": "a"}, idempotency_key="k-1")
print(first.body["id"] == again.body["id"], again.headers["idempotency-replayed"])
try:
    client.request("GET", "/api/events", query={"limit": 1})
except ProblemError as error:
    print(error.status)
`
    assert.equal(await succeed(script(program), BEN, ['PUBLIC_READ', 'ME_READ', 'ME_WRITE']), 'True\nTrue true\n301\n')
  })

  test('repeats what it may repeat', async () => {
    const program = `
import http.server, threading
from turnout_client import ConnectionFailed, ProblemError, TurnoutClient
seen = []
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        seen.append((self.command, self.headers.get("idempotency-key")))
        if len(seen) == 1:
            self.send_response(503)
            self.send_header("retry-after", "0")
            self.send_header("content-length", "0")
            self.end_headers()
        elif len(seen) == 2 or self.command == "PATCH":
            self.close_connection = True
        else:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
    do_POST = do_PATCH = do_GET
    def log_message(self, *args): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = TurnoutClient(f"http://127.0.0.1:{server.server_port}", "t", first_delay=0)
client.request("POST", "/api/batch/")
print(len(seen), len({key for _, key in seen}))
try:
    client.request("PATCH", "/api/users/me/", body={}, if_match="*")
except ConnectionFailed:
    print(len(seen))
server.shutdown()
server.server_close()
`
    assert.equal(await succeed(script(program), BEN, ['ME_READ']), '3 1\n4\n')
  })

  test('has the version of the project, a licence and no dependencies', () => {
    const project = readFileSync(join(folder, 'pyproject.toml'), 'utf8')
    const { version: own } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8'))
    assert.match(project, new RegExp(`^version = "${own.replaceAll('.', '\\.')}"$`, 'm'))
    assert.match(project, /^dependencies = \[\]$/m)
    assert.equal(readFileSync(join(folder, 'LICENSE'), 'utf8'), readFileSync(join(folder, '../../LICENSE'), 'utf8'))
  })
})
