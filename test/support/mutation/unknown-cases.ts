import { test } from 'node:test'

test('a form that the worker does not know', { plan: 1 }, () => {})
