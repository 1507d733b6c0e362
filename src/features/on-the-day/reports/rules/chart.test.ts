import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHART, layOutChart, niceStep } from './chart.ts'

describe('a bar chart', () => {
  for (const [highest, step] of [
    [0, 1],
    [1, 1],
    [4, 1],
    [5, 2],
    [9, 3],
    [37, 10],
    [100, 25],
    [1001, 500],
  ] as const)
    test(`up to ${highest} has steps of ${step}`, () => assert.equal(niceStep(highest), step))

  test('stacks parts from the bottom and keeps within its area', () => {
    const { bars, lines, labels } = layOutChart([
      { label: 'Jan', parts: [3, 1] },
      { label: 'Feb', parts: [0, 0] },
      { label: 'Mar', parts: [0, 2] },
    ])
    assert.deepEqual(
      bars.map(({ column, part }) => [column, part]),
      [
        [0, 0],
        [0, 1],
        [2, 1],
      ],
    )
    const [first, second, third] = bars as [(typeof bars)[0], (typeof bars)[0], (typeof bars)[0]]
    const floor = CHART.height - CHART.bottom
    assert.equal(first.y + first.height, floor)
    assert.equal(second.y + second.height, first.y)
    assert.equal(second.y, CHART.top)
    assert.equal(third.y + third.height, floor)
    assert.equal(first.height, 3 * second.height)
    assert.deepEqual(
      lines.map(({ value }) => value),
      [0, 1, 2, 3, 4],
    )
    assert.deepEqual(
      labels.map(({ label }) => label),
      ['Jan', 'Feb', 'Mar'],
    )
    for (const { x, width } of bars) assert.ok(x >= CHART.left && x + width <= CHART.width)
  })

  test('has columns of equal width between its margins, and lines at each step', () => {
    // 400 by 180, with margins of 40 on the left, 4 on the right, 8 above and 20 below: 89 for each column, 3.8 for each unit.
    assert.deepEqual(
      layOutChart([
        { label: 'A', parts: [40] },
        { label: 'B', parts: [] },
        { label: 'C', parts: [] },
        { label: 'D', parts: [10, 20] },
      ]),
      {
        bars: [
          { column: 0, part: 0, x: 53.35, y: 8, width: 62.3, height: 152 },
          { column: 3, part: 0, x: 320.35, y: 122, width: 62.3, height: 38 },
          { column: 3, part: 1, x: 320.35, y: 46, width: 62.3, height: 76 },
        ],
        lines: [
          { y: 160, value: 0 },
          { y: 122, value: 10 },
          { y: 84, value: 20 },
          { y: 46, value: 30 },
          { y: 8, value: 40 },
        ],
        labels: [
          { x: 84.5, label: 'A' },
          { x: 173.5, label: 'B' },
          { x: 262.5, label: 'C' },
          { x: 351.5, label: 'D' },
        ],
      },
    )
  })

  test('of one column uses the whole width', () =>
    assert.deepEqual(layOutChart([{ label: 'A', parts: [1] }]).labels, [{ x: 218, label: 'A' }]))

  test('without columns has a scale from 0 to 1', () =>
    assert.deepEqual(layOutChart([]), {
      bars: [],
      lines: [
        { y: 160, value: 0 },
        { y: 8, value: 1 },
      ],
      labels: [],
    }))

  for (const [count, labels] of [
    [12, 12],
    [13, 7],
    [24, 12],
    [25, 9],
  ] as const)
    test(`of ${count} columns has ${labels} labels`, () => {
      const columns = Array.from({ length: count }, (_, index) => ({ label: String(index), parts: [1] }))
      assert.equal(layOutChart(columns).labels.length, labels)
    })

  test('leaves out labels that would overlap', () => {
    const columns = Array.from({ length: 36 }, (_, index) => ({ label: String(index), parts: [1] }))
    assert.deepEqual(
      layOutChart(columns).labels.map(({ label }) => label),
      ['0', '3', '6', '9', '12', '15', '18', '21', '24', '27', '30', '33'],
    )
  })
})
