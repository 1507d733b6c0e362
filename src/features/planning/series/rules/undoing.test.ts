import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventFields } from '#features/events/events/rules/event-fields.ts'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { eventBefore, shiftBefore } from './undoing.ts'

describe('an event before an entry of the journal', () => {
  const now = {
    ...eventFields.defaults,
    title: 'Walk',
    location: 'Hall',
    description: 'x',
    typeId: 2,
    groups: [1],
    responsibleGroups: [2],
    responsibleUsers: [3],
  }
  test('has the values that the entry did not change', () => assert.deepEqual(eventBefore(now, {}), now))
  test('has the former values of the others', () => {
    const before = {
      ...eventFields.defaults,
      title: 'Run',
      location: 'Park',
      description: null,
      typeId: 1,
      groups: [4],
      responsibleGroups: [5],
      responsibleUsers: [6],
    }
    const changes = {
      title: ['Run', 'Walk'],
      location: ['Park', 'Hall'],
      description: [null, 'x'],
      type_id: [1, 2],
      groups: [[4], [1]],
      responsible_groups: [[5], [2]],
      responsible_users: [[6], [3]],
    } as const
    assert.deepEqual(eventBefore(now, changes), before)
  })
  test('had no groups if the entry says nothing before', () => {
    const none = [null, [1]] as const
    const { groups, responsibleGroups, responsibleUsers } = eventBefore(now, {
      groups: none,
      responsible_groups: none,
      responsible_users: none,
    })
    assert.deepEqual([groups, responsibleGroups, responsibleUsers], [[], [], []])
  })
})

describe('a shift before an entry of the journal', () => {
  const time = (hour: string) => new Date(`2031-05-04T${hour}:00:00Z`)
  const now: ShiftInput = {
    ...shiftFields.defaults,
    label: 'Late',
    times: { meeting: time('08'), start: time('09'), end: time('12') },
    flowSlug: 'manual',
    flowConfiguration: { a: 1 },
    structureSlug: 'complex',
    structureConfiguration: { b: 2 },
    questions: [1],
  }
  const DELETED = {
    label: ['Early', null],
    meeting_time: ['2031-05-04T05:00:00.000Z', null],
    start_time: ['2031-05-04T06:00:00.000Z', null],
    end_time: ['2031-05-04T07:00:00.000Z', null],
    signup_flow_slug: ['request_confirm', null],
    signup_flow_configuration: [{ c: 3 }, null],
    structure_slug: ['uniform', null],
    structure_configuration: [{ d: 4 }, null],
    questions: [[2], null],
  } as const
  const before: ShiftInput = {
    ...shiftFields.defaults,
    label: 'Early',
    times: { meeting: time('05'), start: time('06'), end: time('07') },
    flowSlug: 'request_confirm',
    flowConfiguration: { c: 3 },
    structureSlug: 'uniform',
    structureConfiguration: { d: 4 },
    questions: [2],
  }
  test('has the values that the entry did not change', () => assert.deepEqual(shiftBefore(now, {}), now))
  test('has the former values of the others', () => assert.deepEqual(shiftBefore(now, DELETED), before))
  test('is read from the entry alone if it was deleted', () => assert.deepEqual(shiftBefore(undefined, DELETED), before))
  test('values that the entry lacks are empty', () => {
    const { label, flowSlug, flowConfiguration, structureSlug, structureConfiguration, questions } = shiftBefore(undefined, {
      questions: [null, [1]],
    })
    assert.deepEqual(
      [label, flowSlug, flowConfiguration, structureSlug, structureConfiguration, questions],
      ['', '', {}, '', {}, []],
    )
  })
})
