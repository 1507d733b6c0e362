/** JSON that is text already: cached fragments go out without being parsed and printed again. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export const toJson = (value: unknown): string => (value instanceof JsonText ? value.text : JSON.stringify(value))
