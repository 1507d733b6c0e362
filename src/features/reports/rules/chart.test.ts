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

  test('leaves out labels that would overlap', () => {
    const columns = Array.from({ length: 36 }, (_, index) => ({ label: String(index), parts: [1] }))
    assert.deepEqual(
      layOutChart(columns).labels.map(({ label }) => label),
      ['0', '3', '6', '9', '12', '15', '18', '21', '24', '27', '30', '33'],
    )
  })
})
