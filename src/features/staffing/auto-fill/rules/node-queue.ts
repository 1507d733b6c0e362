/** Binary heap of nodes by distance; a node can be in it several times. */
export class NodeQueue {
  private readonly nodes: number[] = []
  private readonly keys: number[] = []

  push(node: number, key: number): void {
    const { nodes, keys } = this
    let index = nodes.push(node) - 1
    keys.push(key)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (keys[parent]! <= key) break
      nodes[index] = nodes[parent]!
      keys[index] = keys[parent]!
      index = parent
    }
    nodes[index] = node
    keys[index] = key
  }

  /** -1 if it is empty. */
  pop(): number {
    const { nodes, keys } = this
    if (nodes.length === 0) return -1
    const first = nodes[0]!
    const node = nodes.pop()!
    const key = keys.pop()!
    const size = nodes.length
    if (size === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= size) break
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++
      if (keys[child]! >= key) break
      nodes[index] = nodes[child]!
      keys[index] = keys[child]!
      index = child
    }
    nodes[index] = node
    keys[index] = key
    return first
  }
}
