import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'

type Times = { start: number; end: number }
type Script = {
  shiftTimes: (times: Times, edge: string | undefined, by: number) => Times
  stepTimes: (times: Times, edge: string | undefined, direction: number) => Times
}
const file = new URL('../../../../assets/timeline.js', import.meta.url)
const page = { addEventListener: () => {}, querySelector: () => null, querySelectorAll: () => [] }
const script = runInNewContext(`${readFileSync(file, 'utf8')}; ({ shiftTimes, stepTimes })`, { document: page }) as Script

const MINUTE_MS = 60_000
const time = (text: string) => Date.parse(`2031-05-04T${text}Z`)
const printed = ({ start, end }: Times) => [start, end].map((at) => new Date(at).toISOString().slice(11, 16)).join('–')
const SHIFT = { start: time('10:00'), end: time('14:00') }
const ODD = { start: time('10:07'), end: time('10:20') }

describe('the times of a dragged block snap to 15 minutes', () => {
  const CASES: [string, Times, string | undefined, number, string][] = [
    ['moved by a quarter', SHIFT, undefined, 15, '10:15–14:15'],
    ['moved by less than half a step', SHIFT, undefined, 7, '10:00–14:00'],
    ['moved by more than half a step', SHIFT, undefined, 8, '10:15–14:15'],
    ['moved back over midnight', SHIFT, undefined, -11 * 60, '23:00–03:00'],
    ['a start between the steps, with the same length', ODD, undefined, 30, '10:30–10:43'],
    ['the start', SHIFT, 'start', 61, '11:00–14:00'],
    ['the start never reaches the end', SHIFT, 'start', 600, '13:45–14:00'],
    ['the end', SHIFT, 'end', -61, '10:00–13:00'],
    ['the end never reaches the start', SHIFT, 'end', -600, '10:00–10:15'],
  ]
  for (const [name, times, edge, minutes, wanted] of CASES)
    test(name, () => assert.equal(printed(script.shiftTimes(times, edge, minutes * MINUTE_MS)), wanted))
})

describe('an arrow key goes to the next step', () => {
  const CASES: [string, Times, string | undefined, number, string][] = [
    ['later', SHIFT, undefined, 1, '10:15–14:15'],
    ['earlier', SHIFT, undefined, -1, '09:45–13:45'],
    ['later from between the steps', ODD, undefined, 1, '10:15–10:28'],
    ['earlier from between the steps', ODD, undefined, -1, '10:00–10:13'],
    ['a longer shift', SHIFT, 'end', 1, '10:00–14:15'],
    ['a shorter shift', SHIFT, 'end', -1, '10:00–13:45'],
    ['never shorter than a step', { start: time('10:00'), end: time('10:15') }, 'end', -1, '10:00–10:15'],
  ]
  for (const [name, times, edge, direction, wanted] of CASES)
    test(name, () => assert.equal(printed(script.stepTimes(times, edge, direction)), wanted))
})

describe('the help below the timeline', () => {
  for (const [what, canDrag] of [
    ['says how to drag with a mouse', true],
    ['says what a tap does on a touch screen', false],
  ] as const)
    test(what, () => {
      const help = { form: { hidden: false }, drag: { hidden: true } }
      const box = { classList: { add: () => {} }, querySelector: () => null }
      const document = {
        addEventListener: () => {},
        querySelector: () => box,
        querySelectorAll: (selector: string) => [help[selector.includes('form') ? 'form' : 'drag']],
      }
      const matchMedia = (query: string) => ({ matches: query === '(any-pointer: fine)' && canDrag })
      runInNewContext(readFileSync(file, 'utf8'), { document, matchMedia })
      assert.deepEqual([help.form.hidden, help.drag.hidden], [canDrag, !canDrag])
    })
})
