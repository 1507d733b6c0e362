import { type Form, fieldsOf } from '#test/support/form-fields.ts'
import { type Busy, measureBusy } from './loop-delay.ts'

/** `tokenFrom`: the page with its button, if it has no form of its own. `isAgreed`: sent again with what the answer asks to agree to. */
type Command = { what: string; path: string; values?: (found: Form) => Form; tokenFrom?: string; isAgreed?: boolean }
type Caller = { address: string; cookie: string }

const PASTED = Array.from({ length: 67 }, (_, n) => `1.7.2031\t${8 + (n % 12)}:00\t${9 + (n % 12)}:00\tPost ${n}\t2\t4`)
const TABLE = 'Date\tStart\tEnd\tName\tMin\tMax\n'

/** What planners do with an event of 100 shifts, in an order in which each finds what it needs. */
const commandsFor = (event: number, shift: number): Command[] => {
  const at = (rest: string) => `/events/${event}/${rest}`
  const message = { subject: 'Meeting point', text: 'We meet at the gate.', to: ['confirmed', 'unanswered'] }
  return [
    { what: 'fill 100 shifts', path: `/planning/fill/?event=${event}&pool=everyone` },
    { what: 'preview a message to everybody', path: at('message/'), values: () => message },
    { what: 'send a message to everybody', path: at('message/'), values: () => ({ ...message, doing: 'send' }) },
    {
      what: 'paste 67 shifts',
      path: at('shifts/'),
      values: (found) => ({ ...found, do: 'paste', paste: TABLE + PASTED.join('\n') }),
    },
    {
      what: 'preview 100 changed shifts',
      path: at('shifts/'),
      values: (found) => ({ ...withMore(found), do: 'preview' }),
    },
    {
      what: 'save 100 changed shifts',
      path: at('shifts/'),
      values: (found) => ({ ...withMore(found), do: 'save' }),
      isAgreed: true,
    },
    { what: 'ask the next people', path: `/shifts/${shift}/ask/`, values: (found) => ({ ...found, who: 'next', count: '50' }) },
    { what: 'save the event', path: at('edit/'), values: (found) => ({ ...found, title: 'Festival again', do: 'save' }) },
    {
      what: 'copy the event to five days',
      path: at('duplicate/'),
      values: (found) => ({ ...found, first: '2031-08-01', every: 'day', ends: 'times', times: '5', do: 'copy' }),
    },
    { what: 'save a template', path: at('template/'), values: (found) => ({ ...found, name: 'Festival' }) },
    { what: 'save the board of the event', path: at('board/'), values: withRejected },
    { what: 'cancel the event', path: at('cancel/'), values: () => ({ reason: 'Storm' }) },
    { what: 'reopen the event', path: at('reopen/'), tokenFrom: at('') },
    { what: 'delete the event', path: at('delete/') },
    { what: 'restore the event', path: at('restore/'), tokenFrom: '/events/' },
  ]
}

/** More people for each shift of the table. The rows to add shifts stay empty. */
const withMore = (found: Form): Form =>
  Object.fromEntries(Object.entries(found).map(([name, value]) => [name, /^r\d+-max$/.test(name) && value ? '9' : value]))

const REJECTED = 50

/** What the script of the board sends: the cells that were changed. */
function withRejected(found: Form): Form {
  const kept = Object.entries(found).filter(([name]) => !name.startsWith('card.'))
  const before = Object.entries(found).filter(([name]) => /^card\..*\.was$/.test(name))
  const changed = before.slice(0, REJECTED).flatMap(([name, value]) => [
    [name, value],
    [name.replace(/was$/, 'to'), '3'],
  ])
  return { ...Object.fromEntries([...kept, ...changed]), do: 'save' }
}

/** The largest form of a page as a browser would send it, with the cookie of the device that its token belongs to. */
async function readForm(caller: Caller, path: string): Promise<{ csrf: string; cookie: string; form: Form }> {
  for (;;) {
    const answer = await fetch(caller.address + path, { headers: { cookie: caller.cookie } })
    const body = await answer.text()
    const cookie = [caller.cookie, ...answer.headers.getSetCookie().map((text) => text.split(';')[0])].join('; ')
    if (body.includes('http-equiv="refresh"')) continue
    const forms = [...body.matchAll(/<form [^>]*method="post"[\s\S]*?<\/form>/g)].map(([form]) => form)
    const largest = forms.sort((a, b) => b.length - a.length)[0] ?? ''
    return { cookie, csrf: /name="csrf_token" value="([^"]*)"/.exec(body)?.[1] ?? '', form: fieldsOf(largest) }
  }
}

type MeasuredCommand = Busy<{ label: string; bytes: number }> & { what: string }

const send = (caller: Caller, path: string, body: URLSearchParams): Promise<Response> =>
  fetch(caller.address + path, { method: 'POST', body, headers: { cookie: caller.cookie }, redirect: 'manual' })

/** Each command once: it changes what it finds. */
export async function* measureCommands(
  caller: Caller,
  { event, shift }: { event: number; shift: number },
): AsyncGenerator<MeasuredCommand> {
  for (const { what, path, values = (found: Form): Form => found, tokenFrom, isAgreed } of commandsFor(event, shift)) {
    const { csrf, cookie, form } = await readForm(caller, tokenFrom ?? path)
    const body = new URLSearchParams({ csrf_token: csrf })
    for (const [name, value] of Object.entries(values(tokenFrom ? {} : form)))
      for (const one of [value].flat()) body.append(name, one)
    const busy = await measureBusy(async () => {
      let answer = await send({ ...caller, cookie }, path, body)
      const agreed = isAgreed && answer.ok && / name="agreed" value="([^"]*)"/.exec(await answer.text())?.[1]
      if (agreed) {
        body.set('agreed', agreed)
        answer = await send({ ...caller, cookie }, path, body)
      }
      const isDone = isAgreed ? answer.status === 303 : answer.ok || answer.status === 303
      const { byteLength: bytes } = answer.bodyUsed ? { byteLength: 0 } : await answer.arrayBuffer()
      return { label: `${isDone ? '' : 'failed '}${answer.status}`, bytes }
    })
    yield { what, ...busy }
  }
}
