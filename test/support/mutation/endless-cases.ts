import { test } from 'node:test'

test('a test that never ends', () => new Promise(() => {}))
