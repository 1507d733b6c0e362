/** A function of a text that gives the same for the same text, with what it gave to the last `most` texts or so. */
export function remembered<Value>(make: (text: string) => Value, most: number): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = make(text)
    if (known.size >= most) known.clear()
    known.set(text, value)
    return value
  }
}
