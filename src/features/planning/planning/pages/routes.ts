import type { Page } from '#platform/http/page.ts'
import { editEventPage } from './edit-event.ts'
import { lifecyclePages } from './lifecycle.ts'
import { newEventPage } from './new-event.ts'
import { removalPages } from './removals.ts'
import { editShiftPage, newShiftPage } from './shift.ts'

export const planningPages: Page[] = [
  newEventPage,
  editEventPage,
  newShiftPage,
  editShiftPage,
  ...lifecyclePages,
  ...removalPages,
]
