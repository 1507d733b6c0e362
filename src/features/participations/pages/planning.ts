import type { Page } from '#platform/http/page.ts'
import type { CopyAlong } from '../commands/duplicate.ts'
import { copyShiftPage, duplicatePage } from './planning-copy.ts'
import { editEventPage } from './planning-edit.ts'
import type { EventSections } from './planning-form.ts'
import { lifePages } from './planning-life.ts'
import { newEventPage } from './planning-new.ts'
import { editShiftPage, newShiftPage } from './planning-shift.ts'

/** `sections`: what rooms above add to the form of an event; `along`: what they keep with it and want copied, too. */
export function planningPages({ sections, along }: { sections: EventSections; along: readonly CopyAlong[] }): Page[] {
  return [
    newEventPage(sections),
    editEventPage(sections),
    newShiftPage,
    editShiftPage,
    duplicatePage(along),
    copyShiftPage,
    ...lifePages,
  ]
}
