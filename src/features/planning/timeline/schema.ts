import { z } from 'zod'
import { formText } from '#platform/ui/form-schemas.ts'

const text = formText.max(400, 'form.invalid').default('')

/** The rules read the times. */
export const timesForm = z.object({
  start: text,
  end: text,
  start_which: text,
  end_which: text,
  /** Hashes of the times that the form was loaded with. */
  seen: text,
  /** Takes back the step before. */
  undo: text,
  /** `grid`: sent from the grid, which shows a refusal as a message. */
  in: text,
})
