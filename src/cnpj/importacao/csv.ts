/** One record: bytes[start..end). The object is reused, so copy what you keep. */
export type CsvLine = {
  bytes: Buffer
  starts: Int32Array
  ends: Int32Array
  start: number
  end: number
  /** It had `""`, which was turned into one quote: the line is no longer as it came. */
  doubled: boolean
}

/** `bad` hears of what cannot be a record with the right number of columns. */
export type CsvListener = { line(line: CsvLine): void; bad(line: CsvLine): void }

const QUOTE = 34
const SEMICOLON = 59
const LF = 10
const CR = 13
/** A longer record is taken for a quote that never closed. */
const MAX_RECORD = 64 * 1024
const MAX_COLUMNS = 40

/** `;` between fields, every field in quotes (not required), LF or CRLF, latin-1. */
export type CsvReader = { feed(piece: Buffer): void; end(): void }

type Scan = CsvLine & { limit: number; columns: number }

/** A quote closes a field only before `;`, LF, CRLF or the end. -1: the bytes end, or it is too long. */
function readStrict(s: Scan, at: number): number {
  const { bytes, starts, ends } = s
  const limit = Math.min(s.limit, at + MAX_RECORD)
  let p = at
  let column = 0
  s.doubled = false
  for (;;) {
    const quoted = bytes[p] === QUOTE
    if (quoted) {
      starts[column] = ++p
      for (;;) {
        while (bytes[p] !== QUOTE) p++
        if (p >= limit) return -1
        const next = bytes[p + 1]
        if (next === SEMICOLON || next === LF) break
        if (next === QUOTE && p + 1 < limit) {
          s.doubled = true
          p += 2
        } else if (next === CR && bytes[p + 2] === LF) break
        else if (p + 1 >= limit) return -1
        else p++
      }
      ends[column] = p++
    } else {
      starts[column] = p
      while (bytes[p] !== SEMICOLON && bytes[p] !== LF && p < limit) p++
      if (p >= limit) return -1
      ends[column] = p > at && bytes[p] === LF && bytes[p - 1] === CR ? p - 1 : p
    }
    if (column < MAX_COLUMNS - 1) column++
    if (bytes[p] === CR) p++
    if (p >= limit) return -1
    if (bytes[p++] === LF) break
  }
  s.columns = column
  return p
}

/** End of the line at `at`: past the first LF after a quote, or the longest that a record may be. */
function endOfLine(s: Scan, at: number): number {
  const { bytes } = s
  const limit = Math.min(s.limit, at + MAX_RECORD)
  for (let p = at; ; p++) {
    p = bytes.indexOf(LF, p)
    if (p < 0 || p >= limit) return limit
    const before = bytes[p - 1] === CR ? p - 2 : p - 1
    if (before > at && bytes[before] === QUOTE) return p + 1
  }
}

/** Second chance of a line with misleading quotes: its fields are what stands between `";"`. */
function readBySeparator(s: Scan, at: number, end: number): void {
  const { bytes, starts, ends } = s
  let last = end
  while (last > at && (bytes[last - 1] === LF || bytes[last - 1] === CR)) last--
  if (bytes[last - 1] === QUOTE) last--
  let column = 0
  starts[0] = bytes[at] === QUOTE ? at + 1 : at
  for (let p = at + 1; p + 1 < last && column < MAX_COLUMNS - 2; p++) {
    if (bytes[p] !== SEMICOLON || bytes[p - 1] !== QUOTE || bytes[p + 1] !== QUOTE) continue
    ends[column] = Math.max(p - 1, starts[column] ?? 0)
    starts[++column] = p + 2
    p++
  }
  ends[column] = Math.max(last, starts[column] ?? 0)
  s.columns = column + 1
  s.doubled = true
}

/** Only a complete record allows it, since nothing reads the bytes again. */
function undouble(s: Scan): void {
  const { bytes, starts, ends } = s
  for (let column = 0; column < s.columns; column++) {
    const end = ends[column] ?? 0
    let to = starts[column] ?? 0
    for (let p = to; p < end; p++) {
      bytes[to++] = bytes[p] ?? 0
      if (bytes[p] === QUOTE && bytes[p + 1] === QUOTE && p + 1 < end) p++
    }
    ends[column] = to
  }
}

function tell(s: Scan, listener: CsvListener, columns: number, at: number, end: number): void {
  s.start = at
  s.end = end
  if (s.columns !== columns) {
    listener.bad(s)
    return
  }
  if (s.doubled) undouble(s)
  listener.line(s)
}

/** Gives where the incomplete record starts. */
function readAll(s: Scan, listener: CsvListener, columns: number, final: boolean): number {
  const { bytes } = s
  let at = 0
  while (at < s.limit) {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF)) {
      at++
      continue
    }
    let end = readStrict(s, at)
    if (end < 0 && !final && s.limit - at <= MAX_RECORD) return at
    if (end < 0 || s.columns !== columns || end - at > MAX_RECORD) {
      end = endOfLine(s, at)
      readBySeparator(s, at, end)
      if (s.columns !== columns) end = Math.min(bytes.indexOf(LF, at) + 1 || s.limit, s.limit)
    }
    tell(s, listener, columns, at, end)
    at = end
  }
  return at
}

/** Leaves out NUL bytes. Gives the new length. */
function append(bytes: Buffer, at: number, piece: Buffer): number {
  let to = at
  for (let from = 0; from < piece.length; ) {
    const nul = piece.indexOf(0, from)
    const end = nul < 0 ? piece.length : nul
    to += piece.copy(bytes, to, from, end)
    from = end + 1
  }
  return to
}

/** Feed it pieces cut anywhere, then end it. */
export function createCsvReader(columns: number, listener: CsvListener): CsvReader {
  const s: Scan = {
    bytes: Buffer.alloc(0),
    starts: new Int32Array(MAX_COLUMNS),
    ends: new Int32Array(MAX_COLUMNS),
    start: 0,
    end: 0,
    limit: 0,
    columns: 0,
    doubled: false,
  }
  let kept = 0

  function take(piece: Buffer, final: boolean): void {
    if (s.bytes.length < kept + piece.length + 8) {
      const larger = Buffer.allocUnsafe(kept + piece.length + MAX_RECORD + 8)
      larger.set(s.bytes.subarray(0, kept))
      s.bytes = larger
    }
    s.limit = append(s.bytes, kept, piece)
    if (final && s.limit > 0 && s.bytes[s.limit - 1] !== LF) s.bytes[s.limit++] = LF
    s.bytes.fill(QUOTE, s.limit, s.limit + 4)
    const from = readAll(s, listener, columns, final)
    s.bytes.copyWithin(0, from, s.limit)
    kept = s.limit - from
  }

  return { feed: (piece) => take(piece, false), end: () => take(Buffer.alloc(0), true) }
}
