// The mocks of node:test, for its substitute. A file of its own, because imports of node:test by other files get the substitute.
import { mock } from 'node:test'

export { mock }
export const MockTracker = mock.constructor as new () => typeof mock
